// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/parameters/kind_differences.h>
#include <halfdof/parameters/mode_links.h>
#include <halfdof/parameters/mode_sample.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

/// Returns the limit of |Re lambda| above which a mode grows or decays [1/s].
double limit_of(const ModeSample& sample, Index j, const BranchOptions& options) {
  return std::max(options.growth * std::abs(sample.eigenvalues[at(j)]), zero_or(sample.errors[at(j)]));
}

/// Returns Re lambda less the limit above which a mode grows [1/s].
double growth_of(const ModeSample& sample, Index j, const BranchOptions& options) {
  return sample.eigenvalues[at(j)].real() - limit_of(sample, j, options);
}

void check(const std::vector<double>& values, const BranchOptions& options) {
  check_nearest(options.count, options.shift);
  if (values.empty()) throw InvalidInput("No value of the parameter is given. Give at least one.");
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]))
      throw InvalidInput("Value " + std::to_string(k) + " of the parameter is " + number_text(values[k]) +
                         ", but values are finite.");
    if (k > 0 && (values[k] - values[k - 1]) * (values.back() - values.front()) <= 0)
      throw InvalidInput(
          "The values of the parameter neither ascend nor descend: " + number_text(values[k - 1]) +
          " is followed by " + number_text(values[k]) + ". Sort them, and give each once.");
  }
  const auto check_range = [](const char* name, double number, double most) {
    if (!(number >= 0 && number <= most))
      throw InvalidInput(std::string("BranchOptions::") + name + " is " + number_text(number) +
                         ", but must be from 0 to " + number_text(most) + ".");
  };
  check_range("least_assurance", options.least_assurance, 1);
  check_range("largest_competitor", options.largest_competitor, 1);
  check_range("resolved_gap", options.resolved_gap, 1);
  check_range("growth", options.growth, 1);
  check_range("onset_tolerance", options.onset_tolerance, 1);
  check_range("max_divisions", options.max_divisions, 40);
  check_range("max_evaluations", options.max_evaluations, 1e6);
}

/// Follows branches from value to value. Branches have provisional numbers, from 0 on.
class Follower {
 public:
  /// @param sample_at Returns the modes at a value
  Follower(const std::function<ModeSample(double)>& sample_at, const BranchOptions& options)
      : sample_at_(sample_at), options_(options) {}

  void begin(double value) {
    now_.emplace(sample(value));
    now_->twins = now_->cluster;
    for (Index j = 0; j < now_->size(); ++j) {
      now_->branch.push_back(begin_branch());
      add_point(*now_, j, 1., true);
      if (growth_of(*now_, j, options_) > 0) result_.growing_at_first.push_back(now_->branch.back());
    }
  }

  void advance(double value) {
    left_ = options_.max_evaluations;
    advance(sample(value), 0, true);
  }

  EigenvalueBranches finished(const std::vector<double>& values);

 private:
  ModeSample sample(double value) {
    ModeSample found = sample_at_(value);
    ++result_.n_evaluations;
    result_.max_backward_error = std::max(result_.max_backward_error, found.backward_error);
    if (result_.reason_without_left.empty()) result_.reason_without_left = found.reason_without_left;
    return found;
  }

  Index begin_branch() {
    result_.branches.push_back({static_cast<Index>(result_.branches.size()), {}});
    return result_.branches.back().number;
  }

  void add_point(const ModeSample& of, Index j, double assurance, bool is_given) {
    result_.branches[at(of.branch[at(j)])].points.push_back(
        {of.value, of.eigenvalues[at(j)], of.errors[at(j)], assurance, is_given, of.is_asked[at(j)]});
  }

  void advance(ModeSample next, int n_divided, bool is_given) {
    const ModeLink found = link(*now_, next, options_);
    const double from = now_->value;
    const double middle = from + found.seems_to_cross.value_or(0.5) * (next.value - from);
    const bool is_divisible = middle != from && middle != next.value;
    if (!found.is_decided() && is_divisible && n_divided < options_.max_divisions && left_ > 0) {
      --left_;
      advance(sample(middle), n_divided + 1, false);
      advance(std::move(next), n_divided + 1, is_given);
      return;
    }
    accept(std::move(next), found, is_given);
  }

  void accept(ModeSample next, const ModeLink& found, bool is_given) {
    ModeSample& now = *now_;
    carry_over(now, next, found);
    next.branch.assign(at(next.size()), -1);
    std::vector<double> assurance(at(next.size()), 1.);
    for (Index i = 0; i < now.size(); ++i) {
      const Index j = found.target[at(i)];
      if (j < 0) {
        result_.ends.push_back({now.value, next.value, now.branch[at(i)], false});
        continue;
      }
      next.branch[at(j)] = now.branch[at(i)];
      assurance[at(j)] = found.assurance[at(i)];
    }
    for (Index j = 0; j < next.size(); ++j) {
      if (next.branch[at(j)] < 0) {
        next.branch[at(j)] = begin_branch();
        result_.ends.push_back({now.value, next.value, next.branch[at(j)], true});
      }
      add_point(next, j, assurance[at(j)], is_given);
    }
    list_undecided(now, next, found);
    list_kinds(now, next);
    list_stability(now, next, found);
    now_.emplace(std::move(next));
  }

  void list_undecided(const ModeSample& now, const ModeSample& next, const ModeLink& found) {
    UndecidedStep step{now.value, next.value, {}, 1};
    std::set<Index> modes(found.undecided.begin(), found.undecided.end());
    modes.insert(found.crossing.begin(), found.crossing.end());
    for (const Index i : modes)
      if (found.target[at(i)] >= 0) {
        step.branches.push_back(now.branch[at(i)]);
        step.assurance = std::min(step.assurance, found.assurance[at(i)]);
      }
    std::sort(step.branches.begin(), step.branches.end());
    if (!step.branches.empty()) result_.undecided.push_back(std::move(step));
  }

  void list_kinds(const ModeSample& now, const ModeSample& next) {
    for (const KindDifference& difference : kind_differences(now.kinds, next.kinds, now.application))
      result_.kinds.push_back({difference, now.value, next.value});
  }

  void list_stability(const ModeSample& now, const ModeSample& next, const ModeLink& found) {
    std::set<Index> continued;
    for (Index i = 0; i < now.size(); ++i) {
      const Index j = found.target[at(i)];
      if (j < 0) {
        // A growing mode that ends, as where two real eigenvalues become a conjugate pair.
        if (growth_of(now, i, options_) <= 0 || next.size() == 0) continue;
        const Index k = most_similar(next, now, i);
        if (growth_of(next, k, options_) <= 0) locate(next, k, now, i, false);
        continue;
      }
      continued.insert(j);
      const double before = growth_of(now, i, options_), after = growth_of(next, j, options_);
      if (before <= 0 && after > 0) locate(now, i, next, j, true);
      if (before > 0 && after <= 0) locate(next, j, now, i, false);
    }
    for (Index j = 0; j < next.size(); ++j) {
      if (continued.count(j) > 0 || growth_of(next, j, options_) <= 0 || now.size() == 0) continue;
      // A mode that begins with growth, as where a conjugate pair becomes two real eigenvalues.
      const Index i = most_similar(now, next, j);
      if (growth_of(now, i, options_) <= 0) locate(now, i, next, j, true);
    }
  }

  /// Returns the mode that is most similar to one of another sample.
  static Index most_similar(const ModeSample& sample, const ModeSample& other, Index j) {
    Index best = 0;
    modal_assurances(sample, other).col(j).maxCoeff(&best);
    return best;
  }

  /// Finds where the mode j of one end of a step, which grows there, begins to do so: where Re lambda is zero
  /// if mode i of the other end decays, and otherwise where it is distinguished from zero.
  void locate(const ModeSample& without, Index i, const ModeSample& growing, Index j, bool begins) {
    const bool decays = without.eigenvalues[at(i)].real() < -limit_of(without, i, options_);
    const auto measure = [&](const ModeSample& of, Index mode) {
      return decays ? of.eigenvalues[at(mode)].real() : growth_of(of, mode, options_);
    };
    ModeSample reference = growing;
    Index of_reference = j;
    const auto growth_at = [&](double value) {
      ModeSample tried = sample(value);
      const Index similar = most_similar(tried, reference, of_reference);
      const double growth = measure(tried, similar);
      const bool is_nearer = std::abs(value - without.value) < std::abs(reference.value - without.value);
      if (growth > 0 && is_nearer) {
        reference = std::move(tried);
        of_reference = similar;
      }
      return growth;
    };
    const double step = std::abs(growing.value - without.value);
    const double before = measure(without, i), after = measure(growing, j);
    const auto is_near = [&](double a, double b) {
      return std::abs(b - a) <= options_.onset_tolerance * step;
    };
    std::uintmax_t n_steps = 60;
    const bool ascends = without.value < growing.value;
    const std::pair<double, double> found =
        ascends ? boost::math::tools::toms748_solve(growth_at, without.value, growing.value, before, after,
                                                    is_near, n_steps)
                : boost::math::tools::toms748_solve(growth_at, growing.value, without.value, after, before,
                                                    is_near, n_steps);
    ComplexVector shape =
        reference.right.col(of_reference).head(static_cast<Eigen::Index>(reference.application.n_dofs()));
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    const Complex scale = shape[largest];
    const double slope = (growing.eigenvalues[at(j)].real() - without.eigenvalues[at(i)].real()) / step,
                 error = reference.errors[at(of_reference)];
    const double by_rounding = std::isnan(error) ? 0. : slope > 0 ? std::min(step, error / slope) : step;
    result_.stability.push_back({growing.branch[at(j)], 0.5 * (found.first + found.second),
                                 0.5 * std::abs(found.second - found.first) + by_rounding,
                                 reference.eigenvalues[at(of_reference)], begins, shape / scale});
  }

  const std::function<ModeSample(double)>& sample_at_;
  const BranchOptions& options_;
  std::optional<ModeSample> now_;
  int left_ = 0;  ///< additional values that the present step may take
  EigenvalueBranches result_;
};

/// Keeps the branches that are asked for at a value at least, and numbers them from 1 on.
EigenvalueBranches Follower::finished(const std::vector<double>& values) {
  EigenvalueBranches all = std::move(result_);
  std::map<Index, Index> numbers;
  std::vector<Branch> kept;
  for (Branch& branch : all.branches) {
    const auto is_asked = [](const BranchPoint& point) { return point.is_asked && point.is_given; };
    if (std::none_of(branch.points.begin(), branch.points.end(), is_asked)) continue;
    const auto number = static_cast<Index>(kept.size()) + 1;
    numbers[branch.number] = number;
    kept.push_back({number, std::move(branch.points)});
  }
  const auto renumber = [&numbers](std::vector<Index>& some) {
    std::vector<Index> known;
    for (const Index number : some)
      if (const auto found = numbers.find(number); found != numbers.end()) known.push_back(found->second);
    some = std::move(known);
  };
  const auto keep_known = [&numbers](auto& events) {
    events.erase(std::remove_if(events.begin(), events.end(),
                                [&](const auto& event) { return numbers.count(event.branch) == 0; }),
                 events.end());
    for (auto& event : events)
      event.branch = numbers[event.branch];
  };
  all.values = values;
  all.branches = std::move(kept);
  keep_known(all.ends);
  keep_known(all.stability);
  renumber(all.growing_at_first);
  for (UndecidedStep& step : all.undecided)
    renumber(step.branches);
  all.undecided.erase(std::remove_if(all.undecided.begin(), all.undecided.end(),
                                     [](const UndecidedStep& step) { return step.branches.empty(); }),
                      all.undecided.end());
  return all;
}

EigenvalueBranches branches_of_samples(const std::function<ModeSample(double)>& sample_at,
                                       const std::vector<double>& values, const BranchOptions& options) {
  check(values, options);
  const StageTimer stage("eigenvalue branches");
  Follower follower(sample_at, options);
  follower.begin(values.front());
  for (std::size_t k = 1; k < values.size(); ++k)
    follower.advance(values[k]);
  return follower.finished(values);
}

}  // namespace

EigenvalueBranches eigenvalue_branches(const std::function<ReducedSystem<EigenEngine>(double)>& system,
                                       const std::vector<double>& values, const BranchOptions& options) {
  return branches_of_samples([&](double value) { return mode_sample(value, system(value), options); }, values,
                             options);
}

EigenvalueBranches eigenvalue_branches(const std::function<ReducedStructuralSystem(double)>& system,
                                       const std::vector<double>& values, const BranchOptions& options) {
  EigenvalueBranches found = branches_of_samples(
      [&](double value) { return mode_sample(value, system(value), options); }, values, options);
  found.has_structural_damping = true;
  return found;
}

}  // namespace halfdof
