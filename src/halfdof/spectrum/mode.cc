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

ModeKind kind_of(Complex eigenvalue) {
  if (eigenvalue == 0.) return ModeKind::zero;
  if (eigenvalue.imag() != 0) return ModeKind::oscillating;
  return eigenvalue.real() < 0 ? ModeKind::relaxing : ModeKind::growing;
}

}  // namespace

Mode mode_of(Complex eigenvalue) {
  constexpr double two_pi = 6.283185307179586476925286766559;
  const Complex upper(eigenvalue.real(), std::abs(eigenvalue.imag()));
  const ModeKind kind = kind_of(eigenvalue);
  if (kind == ModeKind::zero) return {upper, kind, 0, 0, 0};
  const double modulus = std::abs(upper);
  return {upper, kind, upper.imag() / two_pi, modulus / two_pi, -upper.real() / modulus};
}

}  // namespace halfdof
