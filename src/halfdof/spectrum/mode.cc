#include <halfdof/spectrum/mode.h>

#include <cmath>

namespace halfdof {

const char* name_of(ModeKind kind) {
  switch (kind) {
    case ModeKind::oscillating:
      return "oscillating";
    case ModeKind::relaxing:
      return "relaxing";
    case ModeKind::growing:
      return "growing";
    case ModeKind::zero:
      break;
  }
  return "zero";
}

namespace {

ModeKind kind_of(Complex eigenvalue, double zero) {
  if (std::abs(eigenvalue) <= zero) return ModeKind::zero;
  if (eigenvalue.imag() != 0) return ModeKind::oscillating;
  return eigenvalue.real() < 0 ? ModeKind::relaxing : ModeKind::growing;
}

}  // namespace

Mode mode_of(Complex eigenvalue, double zero) {
  constexpr double two_pi = 6.283185307179586476925286766559;
  const double modulus = std::abs(eigenvalue);
  const ModeKind kind = kind_of(eigenvalue, zero);
  return {{eigenvalue.real(), std::abs(eigenvalue.imag())},
          kind,
          std::abs(eigenvalue.imag()) / two_pi,
          modulus / two_pi,
          kind == ModeKind::zero ? 0 : -eigenvalue.real() / modulus};
}

}  // namespace halfdof
