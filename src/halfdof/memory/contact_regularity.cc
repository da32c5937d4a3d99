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

/// Exponents that differ by less from that of the string, 1, are taken as 1.
constexpr double same_exponent = 1e-6;

/// Relative size of sums that vanish up to rounding.
constexpr double rounding = 1e-13;

[[noreturn]] void refuse(Index j, const std::string& found) {
  throw InvalidInput("The contact " + std::to_string(j) +
                     " is not moved without delay by its own reaction, grad h . L^{1+} = " + found +
                     ": no force can make it stick, and motion may not be unique. Check its direction, and "
                     "that the modes that move it are listed.");
}

/// Returns p of omega_k = (a + b k)^p from three equidistant frequencies: omega^{1/p} is linear in k.
double exponent_of(const Vector& omega) {
  const Eigen::Index last = omega.size() - 1, middle = last - last / 3, first = middle - last / 3;
  const auto curvature = [&](double p) {
    const double scale = omega[last];
    return std::pow(omega[first] / scale, 1 / p) - 2 * std::pow(omega[middle] / scale, 1 / p) + 1;
  };
  double low = 0.1, high = 20;
  if (!(curvature(low) > 0 && curvature(high) < 0) && !(curvature(low) < 0 && curvature(high) > 0))
    throw InvalidInput("The frequencies of the modes do not grow like a power of their number, from " +
                       number_text(omega[first]) + " to " + number_text(omega[last]) +
                       " rad/s. Give those of one family of modes, ascending.");
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
                 << " tau; its force jumps when it comes to rest (case i of Szalai 2014)";
    case ContactCase::wave:
      return out << "L^1 jumps by " << regularity.L_1_plus
                 << "; the sticking force is Lipschitz continuous in time (case ii of Szalai 2014)";
    case ContactCase::between:
      return out << "L^1 grows like " << regularity.L_1_plus << " tau^" << regularity.alpha
                 << "; the sticking force is Hoelder continuous in time with exponent "
                 << 1 - regularity.alpha << " (case iii of Szalai 2014)";
    case ContactCase::massless:
      return out << "the contact has neither mass nor damping, and its compliance is " << regularity.L_1_plus
                 << " displacement/force; its force is Lipschitz continuous in time";
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
      refuse(j, number_text(W_I(j, j)));
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
      refuse(j, number_text(W_I(j, j)));
}

std::vector<ContactRegularity> continuum_regularity(const ClassicalModes& first_modes) {
  contact_modes(first_modes);  // only checks the modes
  const Vector& omega = first_modes.frequency;
  const Eigen::Index n = omega.size();
  if (n < 16)
    throw InvalidInput("The regularity of a continuum was asked for with " + std::to_string(n) +
                       " of its modes. Give at least 16.");
  double p = exponent_of(omega);
  if (std::abs(p - 1) < same_exponent) p = 1;
  if (p < 1)
    throw InvalidInput("The frequencies of the modes grow like the power " + number_text(p) +
                       " of their number: below one L^1 has no bound. A contact at a point is then not "
                       "possible: distribute it over an area.");
  const double omega_0 = std::pow(
      (std::pow(omega[n - 1], 1 / p) - std::pow(omega[n / 2], 1 / p)) / static_cast<double>(n - 1 - n / 2),
      p);
  const double D = first_modes.damping_ratio[n - 1];
  if (D >= 1)
    throw InvalidInput("The damping ratio of the fastest mode listed is " + number_text(D) +
                       ". The regularity of continua is known for ratios below 1.");
  const double a = 1 / p - 1, angle = std::acos(D);
  const double shape = a == 0 ? angle : std::tgamma(a) * std::sin(a * angle);
  std::vector<ContactRegularity> all;
  for (Index j = 0; j < static_cast<Index>(first_modes.at_contacts.rows()); ++j) {
    const double square =
        first_modes.at_contacts.row(j).tail(n - n / 2).squaredNorm() / static_cast<double>(n - n / 2);
    const double L = square / p * std::pow(omega_0, -1 / p) * shape / std::sqrt(1 - D * D);
    if (!(L > 0)) refuse(j, number_text(L));
    all.push_back({p == 1 ? ContactCase::wave : ContactCase::between, 1 - 1 / p, L});
  }
  return all;
}

}  // namespace halfdof
