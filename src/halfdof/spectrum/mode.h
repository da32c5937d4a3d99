#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/// How a mode moves. `growing`: a real positive eigenvalue. `zero`: rigid bodies, viscous DoFs without
/// stiffness.
enum class ModeKind : unsigned char { oscillating, relaxing, growing, zero };

const char* name_of(ModeKind kind);

/// What an eigenvalue means, one for each conjugate pair. In units of the application's time, here seconds.
/// All numbers but the eigenvalue are zero where the kind is.
struct Mode {
  Complex eigenvalue;  ///< [1/s], imaginary part not negative
  ModeKind kind;
  double frequency;          ///< @f$|\Im\lambda| / 2\pi@f$ [Hz], of the damped motion
  double natural_frequency;  ///< @f$|\lambda| / 2\pi@f$ [Hz]
  double damping_ratio;      ///< @f$-\Re\lambda / |\lambda|@f$; 1 where relaxing, 0 up to rounding
};

/// Of the kind `zero` is the eigenvalue zero alone: round_zeros() makes it so where rounding does not tell it
/// from zero.
Mode mode_of(Complex eigenvalue);

}  // namespace halfdof
