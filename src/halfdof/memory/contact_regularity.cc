// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/memory/contact_modes.h>

#include <cmath>
#include <ostream>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

/// An exponent that differs from 1, the exponent of a string, by less than this value is set to 1.
constexpr double exponent_tolerance = 1e-6;

/// A sum counts as zero up to this fraction of the sum of the absolute values of its terms.
constexpr double rounding = 1e-13;

[[noreturn]] void throw_no_response(Index j, const std::string& found) {
  throw InvalidInput(
      "The contact " + std::to_string(j) +
      " does not respond to its own reaction without delay: its immediate response grad h . L^{1+} is " +
      found +
      ", but must be positive. No force can make this contact stick, and the motion may not be unique. "
      "Check the direction of the contact, and whether the modes that move the contact are listed.");
}

/// Returns the exponent p of frequencies omega_k = (a + b k)^p. Three equidistant frequencies determine p,
/// because omega_k^{1/p} is a linear function of k.
double frequency_exponent(const Vector& omega) {
  const Eigen::Index last = omega.size() - 1, middle = last - last / 3, first = middle - last / 3;
  const auto curvature = [&](double p) {
    const double scale = omega[last];
    return std::pow(omega[first] / scale, 1 / p) - 2 * std::pow(omega[middle] / scale, 1 / p) + 1;
  };
  double low = 0.1, high = 20;
  if (!(curvature(low) > 0 && curvature(high) < 0) && !(curvature(low) < 0 && curvature(high) > 0))
    throw InvalidInput(
        "The frequencies of the modes, from " + number_text(omega[first]) + " to " +
        number_text(omega[last]) +
        " rad/s, do not grow like a power of the number of the mode. Give the frequencies of one family "
        "of modes in ascending order.");
  const bool falls = curvature(low) > 0;
  for (int i = 0; i < 200; ++i) {
    const double p = (low + high) / 2;
    ((curvature(p) > 0) == falls ? low : high) = p;
  }
  return (low + high) / 2;
}

}  // namespace

const char* name_of(ContactCase of) {
  switch (of) {
    case ContactCase::inertia:
      return "inertia";
    case ContactCase::wave:
      return "wave";
    case ContactCase::between:
      return "between";
    case ContactCase::massless:
      return "massless";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, const ContactRegularity& regularity) {
  switch (regularity.which) {
    case ContactCase::inertia:
      return out << "the contact acts on mass, L^1 grows like " << regularity.L_1_plus
                 << " tau; the contact force jumps when the contact comes to rest (case i of Szalai 2014)";
    case ContactCase::wave:
      return out << "L^1 jumps by " << regularity.L_1_plus
                 << "; the sticking force is Lipschitz continuous in time (case ii of Szalai 2014)";
    case ContactCase::between:
      return out << "L^1 grows like " << regularity.L_1_plus << " tau^" << regularity.alpha
                 << "; the sticking force is Hoelder continuous in time with exponent "
                 << 1 - regularity.alpha << " (case iii of Szalai 2014)";
    case ContactCase::massless:
      return out << "the contact has neither mass nor damping, and its compliance is " << regularity.L_1_plus
                 << " displacement/force; the contact force is Lipschitz continuous in time";
  }
  return out;
}

ImmediateResponse immediate_response(const ContactModes& modes) {
  check_contact_modes(modes);
  const MultiVector CJ = modes.rates_of(modes.C);
  return {modes.W_K, modes.W_C(), CJ * modes.B, CJ.cwiseAbs() * modes.B.cwiseAbs()};
}

std::vector<ContactRegularity> contact_regularity(const ImmediateResponse& response) {
  const auto& [W_K, W_C, W_I, size_I] = response;
  std::vector<ContactRegularity> all;
  for (Index j = 0; j < static_cast<Index>(W_K.rows()); ++j) {
    if (W_K(j, j) > 0)
      all.push_back({ContactCase::massless, 0, W_K(j, j)});
    else if (W_C(j, j) > 0)
      all.push_back({ContactCase::wave, 0, W_C(j, j)});
    else if (W_I(j, j) > rounding * size_I(j, j))
      all.push_back({ContactCase::inertia, 1, W_I(j, j)});
    else
      throw_no_response(j, number_text(W_I(j, j)));
  }
  return all;
}

std::vector<ContactRegularity> contact_regularity(const ContactModes& modes) {
  return contact_regularity(immediate_response(modes));
}

void require_moved(const ContactModes& modes) {
  const auto [W_K, W_C, W_I, size_I] = immediate_response(modes);
  for (Index j = 0; j < modes.n_contacts(); ++j)
    if (W_K(j, j) == 0 && W_C(j, j) == 0 && !(std::abs(W_I(j, j)) > rounding * size_I(j, j)))
      throw_no_response(j, number_text(W_I(j, j)));
}

std::vector<ContactRegularity> contact_regularity_of_continuum(const ClassicalModes& first_modes) {
  contact_modes(first_modes);  // only checks the modes
  const Vector& omega = first_modes.frequency;
  const Eigen::Index n = omega.size();
  if (n < 16)
    throw InvalidInput("The regularity of the contacts of a continuum needs at least 16 modes, but " +
                       std::to_string(n) + " modes were given. Give more modes.");
  double p = frequency_exponent(omega);
  if (std::abs(p - 1) < exponent_tolerance) p = 1;
  if (p < 1)
    throw InvalidInput(
        "The frequencies of the modes grow like the power " + number_text(p) +
        " of the number of the mode, but below the power one the memory kernel L^1 has no bound. A "
        "contact at a point is not possible then: distribute the contact over an area.");
  const double omega_0 = std::pow(
      (std::pow(omega[n - 1], 1 / p) - std::pow(omega[n / 2], 1 / p)) / static_cast<double>(n - 1 - n / 2),
      p);
  const double D = first_modes.damping_ratio[n - 1];
  if (D >= 1)
    throw InvalidInput(
        "The damping ratio of the last mode is " + number_text(D) +
        ", but the regularity of the contacts of a continuum is known only for damping ratios below 1. "
        "Reduce the damping ratio.");
  const double a = 1 / p - 1, angle = std::acos(D);
  const double shape = a == 0 ? angle : std::tgamma(a) * std::sin(a * angle);
  std::vector<ContactRegularity> all;
  for (Index j = 0; j < static_cast<Index>(first_modes.at_contacts.rows()); ++j) {
    const double square =
        first_modes.at_contacts.row(j).tail(n - n / 2).squaredNorm() / static_cast<double>(n - n / 2);
    const double L = square / p * std::pow(omega_0, -1 / p) * shape / std::sqrt(1 - D * D);
    if (!(L > 0)) throw_no_response(j, number_text(L));
    all.push_back({p == 1 ? ContactCase::wave : ContactCase::between, 1 - 1 / p, L});
  }
  return all;
}

}  // namespace halfdof
