// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/smooth_motion.h>
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/state_force_iteration.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/stack.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// The values of NumericalDifferentiation, relative to the time scale. In steps shorter than `short_step`,
/// differences of prescribed motions without known derivatives would be only rounding errors. Derivatives are
/// then computed over the interval `reach` instead, or up to a kink in this interval that is not nearer than
/// `shortest_ramp`.
constexpr double short_step = 1e-5, reach = 3e-3, shortest_ramp = 1e-7;

/// The largest rate of a held direction, relative to its scale, that does not show a kink of its support.
constexpr double kink_of_rates = 1e-6;

/// Largest number of sets of held directions whose Schur forms are stored.
constexpr std::size_t largest_cache = 64;

/// Largest motion of a direction by its own reaction, relative to the terms, with which the held directions
/// count as determining its motion.
constexpr double follow_tolerance = 1e-10;

/// Rounding errors of the reactions in a constraint, relative to the tolerance 1e-11 of constraints.
constexpr double rounding_factor = 1e-2;

/// Lower bound of the smallest time scale that time_scale() uses, relative to the largest time scale of all
/// tangents so far. It excludes tangents whose mass or damping nearly vanishes.
constexpr double least_relative_time_scale = 1e-4;

/// Returns 1/rho(A) with the spectral radius rho, or nothing if no motion oscillates or decays. The matrix A
/// is balanced, so that rates and accelerations are comparable. Small eigenvalues are ignored, because
/// rounding splits the double zero eigenvalue of a rigid motion.
std::optional<double> time_scale_of(const MultiVector& A) {
  if (A.rows() == 0) return std::nullopt;
  const MultiVector B = balanced(A).B;
  const double radius = complex_schur(B).T.diagonal().cwiseAbs().maxCoeff();
  if (radius > 1e-6 * B.cwiseAbs().rowwise().sum().maxCoeff() && radius > 0) return 1 / radius;
  return std::nullopt;
}

}  // namespace

SmoothMotion::SmoothMotion(CondensedInclusions condensed, double relative_tolerance,
                           double absolute_tolerance)
    : condensed_(std::move(condensed)),
      relative_tolerance_(relative_tolerance),
      absolute_tolerance_(absolute_tolerance),
      smallest_time_scale_(time_scale_of(condensed_.A)),
      largest_time_scale_(smallest_time_scale_) {}

SmoothMotion::HeldDelassus::HeldDelassus(const MultiVector& W) {
  const auto inverse = [](double size) { return size > 0 ? 1 / size : 1.; };
  rows_ = W.cwiseAbs().rowwise().maxCoeff().unaryExpr(inverse);
  const MultiVector scaled = rows_.asDiagonal() * W;
  columns_ = scaled.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(inverse);
  W_ = LeastSquares(MultiVector(scaled * columns_.asDiagonal()));
}

MultiVector SmoothMotion::HeldDelassus::solve(const MultiVector& b) const {
  return columns_.asDiagonal() * W_.solve(MultiVector(rows_.asDiagonal() * b));
}

Vector SmoothMotion::HeldDelassus::rounding_scale(const Vector& r) const {
  return r.cwiseQuotient(columns_).norm() * rows_.cwiseInverse();
}

void SmoothMotion::set_tangents(CondensedInclusions condensed) {
  condensed_ = std::move(condensed);
  cache_.clear();
  const std::optional<double> here = time_scale_of(condensed_.A);
  if (!here) return;
  smallest_time_scale_ = std::min(*here, smallest_time_scale_.value_or(*here));
  largest_time_scale_ = std::max(*here, largest_time_scale_.value_or(*here));
}

double SmoothMotion::time_scale() const {
  if (!smallest_time_scale_) return run_scale();
  const double all = std::max(*smallest_time_scale_, least_relative_time_scale * *largest_time_scale_);
  return std::min(all, run_length_);
}

std::vector<Index> SmoothMotion::held_directions(const std::vector<ContactState>& states) const {
  std::vector<Index> directions;
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (condensed_.direction(j).kind != DoFKind::constrained && is_held(states[static_cast<std::size_t>(j)]))
      directions.push_back(j);
  return directions;
}

auto SmoothMotion::held_system(const std::vector<ContactState>& states) const -> const HeldSystem& {
  std::vector<Index> directions = held_directions(states);
  if (const auto found = cache_.find(directions); found != cache_.end()) return *found->second;
  if (cache_.size() >= largest_cache) cache_.clear();

  auto held = std::make_unique<HeldSystem>();
  const auto k = static_cast<Index>(directions.size());
  held->S.resize(k, condensed_.n_states());
  const MultiVector W = block_of_W(directions, directions);
  for (Index i = 0; i < k; ++i) {
    const Index j = directions[static_cast<std::size_t>(i)];
    held->S.row(i) = condensed_.S(condensed_.direction(j).kind).row(j);
  }
  held->directions = directions;
  held->A = condensed_.A;
  MultiVector terms = held->A.cwiseAbs();
  if (k > 0) {
    held->W = HeldDelassus(W);
    const MultiVector B = condensed_.B_H(Eigen::all, directions), r = held->W.solve(held->S);
    held->A -= B * r;
    terms += B.cwiseAbs() * r.cwiseAbs();
  }
  if (held->W.rank() < k) {
    held->sharing = shareable_directions(directions, held->W);
    held->left_null_space = held->W.left_null_space();
    if (!held->sharing.empty()) {
      const HeldDelassus W_sharing(block_of_W(directions, held->sharing));
      held->units = W_sharing.units();
      held->null_space = W_sharing.null_space();
    }
  }
  // The matrix A is balanced by the sizes of its terms. In rows whose terms cancel, A contains only rounding
  // errors, which must not be scaled up.
  const Vector D = balanced(terms).D;
  const ComplexSchur schur = complex_schur(D.cwiseInverse().asDiagonal() * held->A * D.asDiagonal());
  held->T = schur.T;
  held->U = D.asDiagonal() * schur.U;
  held->U_inverse = schur.U.adjoint() * D.cwiseInverse().asDiagonal();
  // In unsymmetric systems reactions that move no held direction may still move other DoFs. Such reactions
  // are not shared.
  const MultiVector B = condensed_.B_H(Eigen::all, held->sharing),
                    r = held->units.asDiagonal() * held->null_space;
  const double moved = (held->U_inverse * (B * r)).norm(),
               of_terms = (held->U_inverse.cwiseAbs() * (B.cwiseAbs() * r.cwiseAbs())).norm();
  if (r.cols() == 0 || moved > follow_tolerance * of_terms) held->sharing.clear();
  return *(cache_[std::move(directions)] = std::move(held));
}

bool SmoothMotion::follows_held(const std::vector<ContactState>& states, Index j) const {
  const HeldSystem& now = held_system(states);
  const DoFKind kind = condensed_.direction(j).kind;
  if (now.directions.empty() || kind == DoFKind::constrained) return false;
  const Vector balance = now.W.solve(block_of_W(now.directions, {j}));
  const auto row = condensed_.W_of(kind)(j, now.directions);
  const double W = condensed_.W_of(kind)(j, j);
  return std::abs(W - row.dot(balance)) <=
         follow_tolerance * (std::abs(W) + row.cwiseAbs().dot(balance.cwiseAbs()));
}

/// Returns the block of the Delassus matrix W with a row for each of `directions` and a column for the
/// reaction of each direction in `by`. The row of a direction is taken from W_K, W_C or W_I, according to the
/// kind of DoFs that decides the direction.
MultiVector SmoothMotion::block_of_W(const std::vector<Index>& directions,
                                     const std::vector<Index>& by) const {
  MultiVector W(static_cast<Index>(directions.size()), static_cast<Index>(by.size()));
  for (Index i = 0; i < W.rows(); ++i) {
    const Index j = directions[static_cast<std::size_t>(i)];
    W.row(i) = condensed_.W_of(condensed_.direction(j).kind)(j, by);
  }
  return W;
}

Interval SmoothMotion::friction_bounds(const Mode& mode, Index j, double time) const {
  if (condensed_.direction(j).is_contact) return {0, 0};
  if (condensed_.direction(j).is_tangent())
    return {0, condensed_.friction_coefficient(condensed_.normal_of(j), time)};
  return condensed_.reaction_interval(j, time, mode.states[static_cast<std::size_t>(j)]);
}

auto SmoothMotion::loads_at_node(const NodeInputs& given, Index node) const -> LoadsAtInstant {
  return {given.load_terms[static_cast<std::size_t>(node)], given.p.value.col(node), given.p.rate.col(node),
          given.p.second.col(node)};
}

Vector SmoothMotion::reactions(const Mode& mode, const Vector& slipping, const Vector& y,
                               const LoadsAtInstant& acting) const {
  const HeldSystem& now = held_system(mode.states);
  Vector r = slipping;
  if (now.directions.empty()) return r;
  Vector away = now.S * y;
  for (std::size_t i = 0; i < now.directions.size(); ++i) {
    const Index j = now.directions[i];
    const DoFKind kind = condensed_.direction(j).kind;
    double& residual = away[static_cast<Index>(i)];
    residual +=
        CondensedInclusions::load_terms_of(acting.load_terms, kind)[j] + condensed_.W_of(kind).row(j).dot(r);
    if (kind == DoFKind::algebraic)
      residual += acting.p[j] - (condensed_.direction(j).is_contact ? 0. : mode.targets[j]);
    else
      residual += kind == DoFKind::viscous ? acting.p_rate[j] : acting.p_second[j];
  }
  const Vector solution = now.W.solve(away);
  for (std::size_t i = 0; i < now.directions.size(); ++i)
    r[now.directions[i]] = -solution[static_cast<Index>(i)];
  return r;
}

Vector SmoothMotion::reactions(const Mode& mode, double time, const Vector& y, const SupportDerivatives& p,
                               const Vector& guess) const {
  StateForceIteration iteration(condensed_, Vector::Constant(1, time), y, guess);
  Vector r;
  do {
    const LoadsAtInstant acting{iteration.load_terms().front(), p.value, p.rate, p.second};
    r = reactions(mode, slipping_reactions(mode, time, y, acting), y, acting);
  } while (iteration.must_repeat(y, r));
  project_shared_reactions(mode, mode.reactions, r);
  share_within_bounds(mode, time, r);
  return r;
}

Vector SmoothMotion::projected_on_constraints(const Mode& mode, const Vector& y, const Vector& p_rate) const {
  std::vector<Index> inertial;
  for (const Index j : held_directions(mode.states))
    if (condensed_.direction(j).kind == DoFKind::inertial) inertial.push_back(j);
  if (inertial.empty()) return y;
  const Vector w = (condensed_.S_C * y + p_rate)(inertial);
  const MultiVector W = condensed_.W.I(inertial, inertial);
  const MultiVector B = condensed_.B_H(Eigen::all, inertial);
  const Vector r = HeldDelassus(W).solve(w);
  return y - B * r;
}

Vector SmoothMotion::displacements_with(const std::vector<Index>& algebraic, const Vector& s) const {
  const MultiVector W = condensed_.W.K(Eigen::all, algebraic);
  return W * HeldDelassus(MultiVector(W(algebraic, Eigen::all))).solve(s);
}

/// Returns the changes of rates that reactions at the friction thresholds would cause within the time scale.
/// These changes are part of the scale of rates, because other terms may vanish when a structure comes to
/// rest.
Vector SmoothMotion::friction_scale(double time) const {
  Vector thresholds = Vector::Zero(condensed_.n_directions());
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (condensed_.direction(j).is_contact || condensed_.direction(j).is_tangent()) continue;
    const Interval bounds = condensed_.reaction_interval(j, time, ContactState::stick);
    thresholds[j] = std::max(std::abs(bounds.lower), std::abs(bounds.upper));
  }
  return time_scale() * (condensed_.W.I.cwiseAbs() * thresholds);
}

Vector SmoothMotion::rate_scale(double time, const Vector& y,
                                const CondensedInclusions::LoadTerms& load_terms, const Vector& r,
                                const Vector& p_rate) const {
  const Vector sizes = y.cwiseAbs();
  return condensed_.S_C.cwiseAbs() * sizes + p_rate.cwiseAbs() + friction_scale(time) +
         time_scale() * (condensed_.S_I.cwiseAbs() * sizes + load_terms.a.cwiseAbs() +
                         condensed_.W.I.cwiseAbs() * r.cwiseAbs());
}

Vector SmoothMotion::rate_scale_within(const SmoothStep& step) const {
  const MultiVector y = step.y.cwiseAbs(), r = step.r.cwiseAbs();
  return (condensed_.S_C.cwiseAbs() * y +
          time_scale() * (condensed_.S_I.cwiseAbs() * y + condensed_.W.I.cwiseAbs() * r))
      .rowwise()
      .maxCoeff();
}

Vector SmoothMotion::kink_tolerance(double time, const Vector& y,
                                    const CondensedInclusions::LoadTerms& load_terms, const Vector& r,
                                    const Vector& p_rate, const Vector& p_second) const {
  return kink_of_rates * (rate_scale(time, y, load_terms, r, p_rate) + time_scale() * p_second.cwiseAbs());
}

bool SmoothMotion::begins_with_kink(const Mode& mode, double begin, const Vector& y,
                                    const NodeInputs& given) const {
  const LoadsAtInstant acting = loads_at_node(given, 0);
  const Vector w = condensed_.S_C * y + acting.p_rate,
               r = reactions(mode, slipping_reactions(mode, begin, y, acting), y, acting);
  const Vector allowed = kink_tolerance(begin, y, acting.load_terms, r, acting.p_rate, acting.p_second) +
                         1e3 * given.p.rate_noise;
  const std::vector<Index> directions = held_directions(mode.states);
  return std::any_of(directions.begin(), directions.end(), [&](Index j) {
    return condensed_.direction(j).kind == DoFKind::inertial && std::abs(w[j]) > allowed[j];
  });
}

/// Returns the intervals for numerical differentiation at a time. The reach ends at a known kink.
NumericalDifferentiation SmoothMotion::differentiation(double time) const {
  const double scale = time_scale();
  NumericalDifferentiation all{short_step * scale, reach * scale, shortest_ramp * scale};
  if (!has_unknown_derivatives(condensed_) || !smooth_until_) return all;
  if (const double smooth = smooth_until_(time, time + all.reach) - time; smooth > 0) all.reach = smooth;
  all.shortest_ramp = std::min(all.shortest_ramp, 0.5 * all.reach);
  return all;
}

SupportDerivatives SmoothMotion::support_at(double time) const {
  return support_derivatives(condensed_, time, differentiation(time));
}

std::optional<Kink> SmoothMotion::kink_between(double begin, double end) const {
  return first_kink(condensed_, begin, end, short_step * time_scale());
}

void SmoothMotion::solve_stages(const HeldSystem& held, double length, const Vector& y, const MultiVector& b,
                                MultiVector& stage_rates, Vector& defect) const {
  const RadauNodes& radau = RadauNodes::get();
  const Index n = condensed_.n_states(), s = RadauNodes::n_stages;
  const auto solve_shifted = [&](Complex factor, ComplexVector right) -> ComplexVector {
    const ComplexMultiVector shifted = ComplexMultiVector::Identity(n, n) - length * factor * held.T;
    return shifted.triangularView<Eigen::Upper>().solve(right);
  };
  const Vector Ay = held.A * y;
  const MultiVector right = b.rightCols(s).colwise() + Ay;
  const auto solve = [&](const MultiVector& residual) -> MultiVector {
    const ComplexMultiVector decoupled = residual.cast<Complex>() * radau.V();
    const ComplexMultiVector coupled = held.U_inverse * decoupled;
    ComplexMultiVector K_hat(n, s);
    for (Index i = 0; i < s; ++i)
      K_hat.col(i) = solve_shifted(radau.Lambda()[i], coupled.col(i));
    return (held.U * K_hat * radau.V_inverse()).real();
  };
  stage_rates = solve(right);
  // One step of iterative refinement is needed, because the Schur vectors mix all states, so that small
  // states have the rounding errors of large states.
  const MultiVector moved = length * stage_rates * radau.stage_matrix();
  stage_rates += solve(right + held.A * moved - stage_rates);

  // The defect of the collocation polynomial at its left end is filtered as in Hairer and Wanner (1996),
  // Eq. (IV.8.19).
  MultiVector nodes(n, RadauNodes::n_nodes);
  stack_columns(nodes, y, (length * stage_rates * radau.stage_matrix()).colwise() + y);
  const Vector at_begin = nodes * radau.derivative().col(0) / length;
  const Vector d = at_begin - Ay - b.col(0);
  defect = (held.U * solve_shifted(radau.real_eigenvalue(), held.U_inverse * d.cast<Complex>())).real();
}

auto SmoothMotion::prescribed_at_nodes(double begin, double length) const -> NodeInputs {
  return {{}, support_motion(condensed_, begin, length, differentiation(begin)), {}};
}

SmoothStep SmoothMotion::attempt(const Mode& mode, double begin, double length, const Vector& y,
                                 const Vector& r) const {
  NodeInputs given = prescribed_at_nodes(begin, length);
  SmoothStep step{begin, length, {}, {}, {}, {}, {}, {}, {}, {}};
  const Vector y_begin = projected_on_constraints(mode, y, given.p.rate.col(0));
  StateForceIteration iteration(condensed_, (begin + length * RadauNodes::get().nodes().array()).matrix(),
                                y_begin.replicate(1, RadauNodes::n_nodes),
                                r.replicate(1, RadauNodes::n_nodes));
  do {
    given.load_terms = iteration.load_terms();
    solve(mode, y_begin, given, step);
  } while (iteration.must_repeat(step.y, step.r));
  if (iteration.contraction() > 0)
    step.longest_next =
        std::min(step.longest_next, length * std::sqrt(condensed_.newton->slow / iteration.contraction()));
  step.begins_with_kink = begins_with_kink(mode, begin, y, given);
  step.error = std::max(step.error, interpolation_error(mode, step, given));
  return step;
}

void SmoothMotion::integrate(const Mode& mode, const Vector& y, const NodeInputs& given,
                             SmoothStep& step) const {
  const Index n = condensed_.n_states();
  step.y = y.replicate(1, RadauNodes::n_nodes);
  if (n == 0) return;
  const HeldSystem& now = held_system(mode.states);
  MultiVector b(n, RadauNodes::n_nodes), stage_rates;
  Vector defect;
  Terms terms{now.A.cwiseAbs() * y.cwiseAbs(), Vector::Zero(n)};
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    const Vector& y_rate = given.load_terms[static_cast<std::size_t>(i)].y_rate;
    const Vector r = reactions(mode, given.slipping.col(i), Vector::Zero(n), loads_at_node(given, i));
    b.col(i) = y_rate + condensed_.B_H * r;
    terms.of_loads = terms.of_loads.cwiseMax(y_rate.cwiseAbs() + condensed_.B_H.cwiseAbs() * r.cwiseAbs());
  }
  terms.all = terms.all.cwiseMax(terms.of_loads);
  solve_stages(now, step.length, y, b, stage_rates, defect);
  step.y.rightCols(RadauNodes::n_stages) += step.length * stage_rates * RadauNodes::get().stage_matrix();
  step.error = state_error(step, defect, terms, given);
}

auto SmoothMotion::constraint_defect(const Mode& mode, const SmoothStep& step, const NodeInputs& given,
                                     Index node, Index j) const -> Defect {
  const DoFKind kind = condensed_.direction(j).kind;
  const double load =
      CondensedInclusions::load_terms_of(given.load_terms[static_cast<std::size_t>(node)], kind)[j];
  const double moved =
      kind == DoFKind::algebraic
          ? given.p.value(j, node) - (condensed_.direction(j).is_contact ? 0. : mode.targets[j])
          : (kind == DoFKind::viscous ? given.p.rate : given.p.second)(j, node);
  const auto S = condensed_.S(kind).row(j), W = condensed_.W_of(kind).row(j);
  const auto y = step.y.col(node), r = step.r.col(node);
  return {S.dot(y) + W.dot(r) + load + moved,
          S.cwiseAbs().dot(y.cwiseAbs()) + W.cwiseAbs().dot(r.cwiseAbs()) + std::abs(load) + std::abs(moved)};
}

void SmoothMotion::compute_node_values(const Mode& mode, const NodeInputs& given, SmoothStep& step) const {
  const Index m = condensed_.n_directions();
  step.r.resize(m, RadauNodes::n_nodes);
  step.g.resize(m, RadauNodes::n_nodes);
  step.lower.resize(m, RadauNodes::n_nodes);
  step.upper.resize(m, RadauNodes::n_nodes);
  step.defect = step.defect_scale = MultiVector::Zero(m, RadauNodes::n_nodes);
  const HeldSystem& now = held_system(mode.states);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    const double time = step.begin + RadauNodes::get().nodes()[i] * step.length;
    for (Index j = 0; j < m; ++j) {
      const Interval bounds = friction_bounds(mode, j, time);
      step.lower(j, i) = bounds.lower;
      step.upper(j, i) = bounds.upper;
    }
    Vector r = reactions(mode, given.slipping.col(i), step.y.col(i), loads_at_node(given, i));
    project_shared_reactions(mode, mode.reactions, r);
    step.r.col(i) = r;
    const Vector left = now.W.rounding_scale(step.r.col(i)(now.directions));
    for (std::size_t k = 0; k < now.directions.size(); ++k) {
      const Index j = now.directions[k];
      const Defect defect = constraint_defect(mode, step, given, i, j);
      step.defect(j, i) = defect.value;
      step.defect_scale(j, i) = defect.scale + rounding_factor * left[static_cast<Index>(k)];
    }
    step.g.col(i) = condensed_.S_K * step.y.col(i) + given.load_terms[static_cast<std::size_t>(i)].s +
                    given.p.value.col(i) + condensed_.W.K * step.r.col(i);
  }
  const Vector g_begin = step.g.col(0);
  step.w = (step.g.colwise() - g_begin) * RadauNodes::get().derivative() / step.length;
  for (const Index j : now.directions)
    if (condensed_.direction(j).kind == DoFKind::algebraic) step.w.row(j).setZero();
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    const Vector w = condensed_.S_C * step.y.col(i) + given.load_terms[static_cast<std::size_t>(i)].w +
                     given.p.rate.col(i) + condensed_.W.C * step.r.col(i);
    for (Index j = 0; j < m; ++j)
      if (condensed_.direction(j).kind == DoFKind::inertial ||
          condensed_.direction(j).kind == DoFKind::viscous)
        step.w(j, i) = w[j];
  }
}

}  // namespace halfdof::internal
