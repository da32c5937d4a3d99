// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/memory/contact_modes.h>

#include <cmath>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

void check_columns(const char* name, const MultiVector& columns, Eigen::Index n_modes) {
  if (columns.size() > 0 && columns.cols() != n_modes)
    throw InvalidInput("The matrix of mode values at the " + std::string(name) + " has " +
                       std::to_string(columns.cols()) + " columns, but there are " + std::to_string(n_modes) +
                       " frequencies. Give one column for each mode.");
  if (!columns.allFinite())
    throw InvalidInput("A value of a mode at the " + std::string(name) +
                       " is infinite or not a number. Give finite mode values.");
}

void check_modes(const ClassicalModes& given) {
  const Eigen::Index n = given.frequency.size();
  if (given.damping_ratio.size() != n)
    throw InvalidInput(std::to_string(given.damping_ratio.size()) + " damping ratios were given for " +
                       std::to_string(n) + " modes. Give one damping ratio for each mode.");
  for (Eigen::Index k = 0; k < n; ++k)
    for (const auto& [name, value] :
         {std::pair("frequency", given.frequency[k]), std::pair("damping ratio", given.damping_ratio[k])})
      if (!(value >= 0) || std::isinf(value))
        throw InvalidInput("The " + std::string(name) + " of mode " + std::to_string(k) + " is " +
                           number_text(value) + ", but must be finite and not negative.");
  if (given.at_contacts.rows() == 0)
    throw InvalidInput("The modes have no contact. Give the values of the modes at one contact at least.");
  check_columns("contacts", given.at_contacts, n);
  check_columns("loads", given.at_loads, n);
  check_columns("observed places", given.at_observed, n);
}

/// Mode values at m contacts, p loads and observed places, as the rows of one matrix in this order.
struct Places {
  MultiVector values;
  Eigen::Index m, p;
};

Places places_of(const ClassicalModes& given) {
  const Eigen::Index n = given.frequency.size(), m = given.at_contacts.rows(), p = given.at_loads.rows();
  MultiVector all(m + p + given.at_observed.rows(), n);
  all.topRows(m) = given.at_contacts;
  if (p > 0) all.middleRows(m, p) = given.at_loads;
  if (given.at_observed.rows() > 0) all.bottomRows(given.at_observed.rows()) = given.at_observed;
  return {std::move(all), m, p};
}

/// Replaces the rigid-body modes by linear combinations, so that as few modes as possible move the contacts,
/// and as few as possible of the remaining modes move loads or observed directions.
void separate_rigid_body_modes(const Vector& frequency, Places& places) {
  std::vector<Eigen::Index> rigid;
  for (Eigen::Index k = 0; k < frequency.size(); ++k)
    if (frequency[k] == 0) rigid.push_back(k);
  if (rigid.size() < 2) return;
  const MultiVector of_rigid = places.values(Eigen::all, rigid);
  const double rounding = 1e-14 * of_rigid.norm();
  const SingularValueDecomposition by_contacts = singular_value_decomposition(of_rigid.topRows(places.m));
  const auto n_contact_modes = (by_contacts.values.array() > rounding).count();
  MultiVector V = by_contacts.V;
  const MultiVector without_contact_motion = V.rightCols(V.cols() - n_contact_modes);
  if (without_contact_motion.cols() > 0)
    V.rightCols(without_contact_motion.cols()) =
        without_contact_motion * singular_value_decomposition(of_rigid * without_contact_motion).V;
  MultiVector rotated = of_rigid * V;
  rotated.topRightCorner(places.m, without_contact_motion.cols()).setZero();
  for (Eigen::Index j = 0; j < rotated.cols(); ++j)
    if (rotated.col(j).norm() <= rounding) rotated.col(j).setZero();
  places.values(Eigen::all, rigid) = rotated;
}

MultiVector omitted_compliance(const ClassicalModes& given, const ContactModes& modes) {
  const Eigen::Index m = given.at_contacts.rows();
  if (given.static_compliance.size() == 0) return MultiVector::Zero(m, m);
  if (given.static_compliance.rows() != m || given.static_compliance.cols() != m ||
      !given.static_compliance.allFinite())
    throw InvalidInput("The static compliance of " + std::to_string(m) + " contacts is " +
                       std::to_string(given.static_compliance.rows()) + " x " +
                       std::to_string(given.static_compliance.cols()) +
                       ", or not finite. Give a finite matrix with one row and one column for each contact.");
  if ((given.frequency.array() == 0).any())
    throw InvalidInput(
        "A static compliance was given for a structure with rigid-body modes, but static forces move such a "
        "structure without bound. Leave the static compliance out, or constrain the structure.");
  MultiVector remainder = given.static_compliance;
  for (Eigen::Index k = 0; k < given.frequency.size(); ++k)
    remainder -=
        given.at_contacts.col(k) * given.at_contacts.col(k).transpose() / std::pow(given.frequency[k], 2);
  remainder = (remainder + remainder.transpose()).eval() / 2;
  // A smaller difference counts as zero, because it may be an error of the static solves.
  constexpr double rounding = 1e-9;
  for (Eigen::Index j = 0; j < m; ++j) {
    const double whole = given.static_compliance(j, j);
    if (remainder(j, j) < -rounding * whole)
      throw InvalidInput(
          "The static compliance of contact " + std::to_string(j) + ", " + number_text(whole) +
          ", is smaller than the compliance of the " + std::to_string(modes.n_blocks()) + " modes, by " +
          number_text(-remainder(j, j)) +
          ". Check that the modes have unit modal mass, and that modes and compliance belong to the "
          "same structure.");
    if (remainder(j, j) > rounding * whole) continue;
    remainder.row(j).setZero();
    remainder.col(j).setZero();
  }
  return remainder;
}

}  // namespace

ContactModes contact_modes(const ClassicalModes& given) {
  check_modes(given);
  Places places = places_of(given);
  separate_rigid_body_modes(given.frequency, places);
  const Eigen::Index m = places.m, p = places.p, o = places.values.rows() - m - p;

  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < given.frequency.size(); ++k) {
    const auto values = places.values.col(k);
    const bool is_observed = values.head(m).any() || values.tail(o).any(),
               is_moved = values.head(m + p).any();
    if (is_observed && is_moved) kept.push_back(k);
  }
  const auto n = static_cast<Eigen::Index>(kept.size());
  const auto zero = [](Eigen::Index rows, Eigen::Index columns) -> MultiVector {
    return MultiVector::Zero(rows, columns);
  };
  ContactModes modes{{},
                     zero(2 * n, m),
                     zero(2 * n, p),
                     zero(m, 2 * n),
                     zero(m, m),
                     zero(m, p),
                     {zero(o, 2 * n), zero(o, m), zero(o, p)}};
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index k = kept[static_cast<std::size_t>(i)];
    const double omega = given.frequency[k];
    modes.J.push_back(
        (MultiVector(2, 2) << 0, 1, -omega * omega, -2 * given.damping_ratio[k] * omega).finished());
    modes.B.row(2 * i + 1) = places.values.col(k).head(m);
    modes.B_f.row(2 * i + 1) = places.values.col(k).segment(m, p);
    modes.C.col(2 * i) = places.values.col(k).head(m);
    modes.observed.C.col(2 * i) = places.values.col(k).tail(o);
  }
  modes.W_K = omitted_compliance(given, modes);
  return modes;
}

ClassicalModes string_modes(double wave_speed, const std::vector<double>& contacts, double damping_ratio,
                            Index n_modes) {
  if (!(wave_speed > 0) || std::isinf(wave_speed))
    throw InvalidInput("The wave speed of the string is " + number_text(wave_speed) +
                       ", but must be positive and finite.");
  for (const double xi : contacts)
    if (!(xi > 0 && xi < 1))
      throw InvalidInput("A contact of the string has the position " + number_text(xi) +
                         ", but must lie between the ends of the string, 0 and 1.");
  if (n_modes < 1)
    throw InvalidInput("The number of modes of the string is " + std::to_string(n_modes) +
                       ", but must be at least 1.");
  ClassicalModes modes{Vector(n_modes),
                       Vector::Constant(n_modes, damping_ratio),
                       MultiVector(static_cast<Eigen::Index>(contacts.size()), n_modes),
                       {},
                       {},
                       {}};
  for (Index k = 0; k < n_modes; ++k) {
    modes.frequency[k] = wave_speed * (k + 1) * pi;
    for (std::size_t j = 0; j < contacts.size(); ++j)
      modes.at_contacts(static_cast<Eigen::Index>(j), k) =
          std::sqrt(2.) * std::sin((k + 1) * pi * contacts[j]);
  }
  return modes;
}

ClassicalModes cantilever_modes(double damping_ratio, Index n_modes) {
  if (n_modes < 1)
    throw InvalidInput("The number of modes of the cantilever is " + std::to_string(n_modes) +
                       ", but must be at least 1.");
  ClassicalModes modes{
      Vector(n_modes), Vector::Constant(n_modes, damping_ratio), MultiVector(1, n_modes), {}, {}, {}};
  for (Index k = 0; k < n_modes; ++k) {
    // The frequency equation cos(x) = -1/cosh(x) is solved by Newton's method, which starts at the zeros of
    // the cosine; the distance of a solution x from the next zero is about 2 exp(-x).
    double x = (k + 0.5) * pi;
    for (int i = 0; i < 20; ++i) {
      const double f = std::cos(x) + 1 / std::cosh(x), slope = -std::sin(x) - std::tanh(x) / std::cosh(x);
      x -= f / slope;
    }
    modes.frequency[k] = x * x;
    modes.at_contacts(0, k) = k % 2 == 0 ? 2. : -2.;
  }
  return modes;
}

}  // namespace halfdof
