// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/stage_problem.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the factor of W_h gamma r in equation (1) of StageWeights.
double row_factor(EnforcedOn law_values, const StageWeights& weights) {
  switch (law_values) {
    case EnforcedOn::end_gap:
      return 1 / weights.theta;
    case EnforcedOn::mean_rate:
      return 1 / (weights.theta * weights.step);
    case EnforcedOn::end_rate:
    case EnforcedOn::impact:
      break;
  }
  return weights.sigma / weights.theta;
}

/// The solver for principal submatrices of diag(rows) W diag(columns), restricted to some directions.
class ScaledPrincipalSolver final : public PrincipalSolver {
 public:
  ScaledPrincipalSolver(std::shared_ptr<PrincipalSolver> of_W, std::vector<Index> directions, Vector rows,
                        Vector columns)
      : of_W_(std::move(of_W)),
        directions_(std::move(directions)),
        rows_(std::move(rows)),
        columns_(std::move(columns)) {}

  bool factorize(const std::vector<Index>& F) override {
    of_F_.clear();
    for (const Index k : F)
      of_F_.push_back(directions_[static_cast<std::size_t>(k)]);
    return of_W_->factorize(of_F_);
  }

  void solve(Eigen::Ref<Vector> right) const override {
    right.array() /= rows_(of_F_).array();
    of_W_->solve(right);
    right.array() /= columns_(of_F_).array();
  }

 private:
  std::shared_ptr<PrincipalSolver> of_W_;
  std::vector<Index> directions_, of_F_;
  Vector rows_, columns_;
};

}  // namespace

StageProblem::StageProblem(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome,
                           const std::vector<DirectionRule>& rules, StepDelassus delassus,
                           const StageWeights& weights, std::shared_ptr<PrincipalSolver> principal)
    : delassus_(std::move(delassus)),
      column_weights_(Vector::Zero(delassus_.size())),
      rows_(Vector::Zero(delassus_.size())),
      scale_(Vector::Ones(delassus_.size())) {
  const double impulse = weights.sigma * weights.theta * weights.step;
  Index j = 0;
  for (std::size_t i = 0; i < acting.size(); ++i) {
    const auto d = static_cast<Index>(acting[i].directions.size());
    bool moves = false;
    for (Index k = 0; k < d; ++k)
      moves = moves || !outcome.directions[static_cast<std::size_t>(j + k)].decided_by.empty();
    if (moves) {
      members_.push_back(i);
      uses_middle_of_step_.push_back(!rules[static_cast<std::size_t>(j)].is_blended &&
                                     is_enforced_on_rate(rules[static_cast<std::size_t>(j)]) &&
                                     !acting[i].law->is_autonomous());
    }
    for (Index k = 0; moves && k < d; ++k) {
      const DirectionRule& rule = rules[static_cast<std::size_t>(j + k)];
      directions_.push_back(j + k);
      column_weights_[j + k] = rule.is_blended ? weights.theta : impulse;
      const double factor = row_factor(rule.enforced_on, weights);
      const double symmetric = weights.sigma / weights.theta * column_weights_[j + k] / impulse;
      rows_[j + k] = acting[i].law->is_positively_homogeneous() ? symmetric : factor;
      scale_[j + k] = rows_[j + k] / factor;
    }
    j += d;
  }
  if (principal)
    principal =
        std::make_shared<ScaledPrincipalSolver>(std::move(principal), directions_, rows_, column_weights_);
  solver_ = std::make_unique<OneStepSolver>(
      problem(acting, std::move(principal)),
      OneStepOptions{OneStepMethod::automatic, outcome.options.law_tolerance});
}

/// Returns the columns `of` of the matrix of the scaled problem. Shape: directions_.size() x of.size().
MultiVector StageProblem::scaled_columns(const std::vector<Index>& of) const {
  const Vector rows = rows_(directions_), weights = column_weights_(of);
  if (delassus_.is_dense())
    return rows.asDiagonal() * delassus_.matrix()(directions_, of) * weights.asDiagonal();
  MultiVector unit = MultiVector::Zero(delassus_.size(), static_cast<Index>(of.size()));
  for (std::size_t k = 0; k < of.size(); ++k)
    unit(of[k], static_cast<Index>(k)) = weights[static_cast<Index>(k)];
  return rows.asDiagonal() * delassus_.apply(unit)(directions_, Eigen::all);
}

OneStepProblem StageProblem::problem(const std::vector<Inclusion>& acting,
                                     std::shared_ptr<PrincipalSolver> principal) const {
  std::vector<NamedLaw> laws;
  for (const std::size_t i : members_)
    laws.push_back({acting[i].law, acting[i].name});
  if (delassus_.is_dense()) {
    const MultiVector W = scaled_columns(directions_);
    check_single_valued(laws, W);
    return OneStepProblem(std::move(laws), W);
  }

  std::vector<LocalMatrix> blocks;
  Index first = 0;
  for (const NamedLaw& named : laws) {
    const Index d = named.law->dimension();
    const std::vector<Index> own(directions_.begin() + first, directions_.begin() + first + d);
    blocks.emplace_back(scaled_columns(own).middleRows(first, d));
    first += d;
  }
  const auto apply = [this](const Vector& r, Vector& Wr) {
    Vector all = Vector::Zero(delassus_.size());
    all(directions_) = r.cwiseProduct(column_weights_(directions_));
    const Vector moved = rows_.cwiseProduct(Vector(delassus_.apply(all)));
    Wr = moved(directions_);
  };
  return OneStepProblem(std::move(laws), apply, std::move(blocks), std::move(principal));
}

bool StageProblem::any_is_active(const std::vector<bool>& is_active) const {
  return std::any_of(members_.begin(), members_.end(), [&](std::size_t i) { return is_active[i]; });
}

void StageProblem::read_laws(const Times& times, const std::vector<bool>& is_active,
                             const std::vector<ContactState>& contacts) {
  const OneStepProblem& problem = solver_->problem();
  work_.before.resize(members_.size());
  for (std::size_t k = 0; k < members_.size(); ++k)
    work_.before[k] = contacts[members_[k]];
  problem.set_laws_at(times.end, work_.before, work_.laws);
  const double middle = times.begin + 0.5 * (times.end - times.begin);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    work_.laws.is_active[k] = is_active[members_[k]];
    if (uses_middle_of_step_[k])
      work_.laws.parameters[k] = problem.law(static_cast<Index>(k)).parameters(middle, work_.before[k]);
  }
}

void StageProblem::solve(const Times& times, const Vector& b, const std::vector<bool>& is_active, Vector& r,
                         Vector& law_values, std::vector<ContactState>& contacts,
                         const std::function<Vector()>& rounding) {
  law_values = b;
  if (!any_is_active(is_active)) {
    for (const Index j : directions_)
      r[j] = 0;
    for (const std::size_t i : members_)
      contacts[i] = ContactState::open;
    return;
  }
  read_laws(times, is_active, contacts);
  const auto n = static_cast<Index>(directions_.size());
  work_.b.resize(n);
  work_.r.resize(n);
  for (Index k = 0; k < n; ++k) {
    const Index j = directions_[static_cast<std::size_t>(k)];
    work_.b[k] = b[j] * scale_[j];
    work_.r[k] = r[j];
  }
  solver_->solve(work_.laws, work_.b, work_.r, work_.w,
                 [&] { return Vector(scale_.cwiseProduct(rounding())(directions_)); });
  solver_->problem().set_states(work_.laws, work_.r, work_.w, work_.after, solver_->rest());
  for (std::size_t k = 0; k < members_.size(); ++k)
    contacts[members_[k]] = work_.after[k];
  for (Index k = 0; k < n; ++k) {
    const Index j = directions_[static_cast<std::size_t>(k)];
    r[j] = work_.r[k];
    law_values[j] = work_.w[k] / scale_[j];
  }
}

void StageProblem::add_response_to_change(const Vector& r, Eigen::Ref<Vector> sums) {
  const OneStepProblem& problem = solver_->problem();
  if (!problem.is_sparse()) {
    work_.r = column_weights_.cwiseProduct(r);
    delassus_.add_product(work_.r, sums);
    return;
  }
  work_.r = r(directions_);
  problem.multiply(work_.r, work_.w);
  for (std::size_t k = 0; k < directions_.size(); ++k)
    sums[directions_[k]] += work_.w[static_cast<Index>(k)] / rows_[directions_[k]];
}

}  // namespace halfdof::internal
