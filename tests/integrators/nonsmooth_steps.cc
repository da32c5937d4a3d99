// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "dense_models.h"

/// Steps of all methods on unsymmetric models with inclusions on DoFs of every kind, against their equations
/// in dense matrices and a search through all that the laws may do.

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Two inertial, viscous and algebraic DoFs each have an inclusion or two; sticking and slipping, open and
/// closed all occur. Stages before the end of a step want models whose masses act on inertial rows alone.
DenseModel all_kinds(bool at_end) {
  DenseSystem system = dominant(random_unsymmetric(4, 3, 3, 71));
  const auto [I, C, K, D] = dense_elimination(system);
  if (!at_end)
    for (const std::vector<Index>* half : {&C, &K})
      for (const Index row : *half)
        system.M.row(row).setZero();
  return {system,
          {rub(I[0], -0.4, 0.6), rub(I[1], -2., 2.), wall(I[2]), rub(C[0], -0.3, 0.2), rub(K[0], -0.1, 0.2),
           wall(K[1])}};
}

/// Masses that act on rows of half DoFs, which no inclusion sees.
DenseModel on_masses_alone() {
  const DenseSystem system = dominant(random_unsymmetric(4, 3, 3, 72));
  const auto [I, C, K, D] = dense_elimination(system);
  return {system, {rub(I[0], -0.4, 0.6), rub(I[1], -2., 2.), wall(I[2])}};
}

/// A stage at t_n + theta h, with alpha_m and gamma of generalized-alpha; both one if nothing is remembered.
struct StageMethod {
  double theta, alpha_m, gamma;
  std::optional<double> restitution;  ///< nothing: contacts with mass by their gaps
};

/// A trajectory of such a method in dense matrices.
class DenseStages {
 public:
  DenseStages(const DenseModel& dense, const NonsmoothState& start, const StageMethod& method, double h)
      : dense_(dense), method_(method), h_(h), time_(start.time), y_(start.y), r_(start.r) {
    const DenseModel::Motion now = dense.motion(y_, dense.load(time_) + dense.force(r_));
    q_ = now.q;
    v_ = now.v;
    smooth_rate_ = dense.motion(y_, dense.load(time_) + dense.force(blended(r_))).y_rate;
  }

  void step() {
    Reactions reactions(dense_.laws);
    const Vector r = reactions.solve([&](const Vector& trial) { return look(trial).met; });
    const Step to = look(r);
    r_ = r;
    y_ = to.y;
    q_ = to.q;
    v_ = to.v;
    smooth_rate_ = to.smooth_rate;
    time_ += h_;
  }

  const Vector& y() const { return y_; }
  const Vector& r() const { return r_; }
  Vector gaps() const { return q_(dofs()); }

 private:
  struct Step {
    Vector y, q, v, smooth_rate, met;
  };
  using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;

  std::vector<Index> dofs() const {
    std::vector<Index> all;
    for (const DenseLaw& law : dense_.laws)
      all.push_back(law.dof);
    return all;
  }
  /// The reactions on half DoFs.
  Vector blended(Vector r) const {
    for (std::size_t i = 0; i < dense_.laws.size(); ++i)
      if (dense_.is_inertial(dense_.laws[i].dof)) r[static_cast<Eigen::Index>(i)] = 0;
    return r;
  }
  Flags is_active() const {
    Flags all = Flags::Constant(r_.size(), true);
    for (std::size_t i = 0; i < dense_.laws.size(); ++i) {
      const DenseLaw& law = dense_.laws[i];
      if (law.is_contact && dense_.is_inertial(law.dof) && method_.restitution)
        all[static_cast<Eigen::Index>(i)] = q_[law.dof] + 0.5 * h_ * v_[law.dof] <= 0;
    }
    return all;
  }

  /// alpha_m y'_1 + (1 - alpha_m) y'_0 = A y_theta + B (F_theta + H r_theta), with reactions on masses as
  /// jumps of y_1 = y_0 + h ((1 - gamma) y'_0 + gamma y'_1) + h B H r.
  Step look(const Vector& given) const {
    const Flags acts = is_active();
    const Vector r = acts.select(given, 0.);
    const double theta = method_.theta, gamma = method_.gamma;
    const Vector half = blended(r), impulse = r - half;
    const Vector load = (1 - theta) * (dense_.load(time_) + dense_.force(blended(r_))) +
                        theta * (dense_.load(time_ + h_) + dense_.force(half));
    const Vector jump = h_ * dense_.input(dense_.force(impulse));
    const auto n = y_.size();
    const MultiVector A = dense_state_matrix_of(dense_.system), I = MultiVector::Identity(n, n);
    MultiVector equations(2 * n, 2 * n);
    equations << -theta * A, method_.alpha_m * I, I, -gamma * h_ * I;
    Vector rhs(2 * n);
    rhs << (1 - theta) * A * y_ + dense_.input(load) - (1 - method_.alpha_m) * smooth_rate_,
        y_ + (1 - gamma) * h_ * smooth_rate_ + jump;
    const Vector both = equations.fullPivLu().solve(rhs);

    Step to;
    to.y = both.head(n);
    to.smooth_rate = both.tail(n);
    // Displacements of algebraic DoFs and rates of viscous ones are such means as well.
    const DenseModel::Motion stage = dense_.motion((1 - theta) * y_ + theta * to.y,
                                                   load + method_.alpha_m / gamma * dense_.force(impulse));
    to.q = (stage.q - (1 - theta) * q_) / theta;
    to.v = (stage.v - (1 - theta) * v_) / theta;
    to.met = law_quantities(to);
    for (Eigen::Index j = 0; j < r.size(); ++j)
      if (!acts[j]) to.met[j] = given[j] + 1;  // opens
    return to;
  }

  Vector law_quantities(const Step& to) const {
    Vector met(r_.size());
    for (std::size_t i = 0; i < dense_.laws.size(); ++i) {
      const DenseLaw& law = dense_.laws[i];
      const auto j = static_cast<Eigen::Index>(i);
      const bool is_algebraic = std::find(dense_.elimination.K.begin(), dense_.elimination.K.end(),
                                          law.dof) != dense_.elimination.K.end();
      if (law.is_contact)
        met[j] = dense_.is_inertial(law.dof) && method_.restitution
                     ? to.v[law.dof] + *method_.restitution * v_[law.dof]
                     : to.q[law.dof];
      else
        met[j] = is_algebraic ? (to.q[law.dof] - q_[law.dof]) / h_ : to.v[law.dof];
    }
    return met;
  }

  const DenseModel& dense_;
  StageMethod method_;
  double h_, time_;
  Vector y_, r_, q_, v_, smooth_rate_;
};

NonsmoothState random_start(const NonsmoothModel<>& model, const DenseModel& dense, unsigned seed) {
  RandomNumbers numbers(seed);
  const Index n = dense.system.size();
  Vector q = 0.3 * numbers.matrix(n, 1);
  const Vector v = numbers.matrix(n, 1);
  for (const DenseLaw& law : dense.laws)
    if (law.is_contact) q[law.dof] = std::abs(q[law.dof]);
  NonsmoothStartOptions options;
  options.inadmissible = InadmissibleReactions::project;
  return nonsmooth_start(model.inclusions, model.outcome, q, v, 0.5, options);
}

/// Ten digits short of double precision's sixteen allow for the condition of D and of the step matrix.
constexpr double rounding = 1e-11;

template <class Method, class... Options>
void check_stages(const DenseModel& dense, const StageMethod& method, const Options&... options) {
  const double h = 0.125;
  DelassusOptions without_columns;
  without_columns.max_column_bytes = 0;
  for (const unsigned seed : {73u, 74u, 75u})
    for (const DelassusOptions& kept : {DelassusOptions(), without_columns}) {
      const NonsmoothModel<> model = dense.model(method.restitution);
      NonsmoothState state = random_start(model, dense, seed);
      DenseStages expected(dense, state, method, h);
      Method integrator(model.inclusions, classify_inclusions(model.inclusions, kept), h, options...);
      for (int k = 0; k < 4; ++k) {
        integrator.step(state);
        expected.step();
        BOOST_TEST(relative_error(state.y, expected.y()) < rounding);
        BOOST_TEST(relative_error(state.r, expected.r()) < rounding);
        BOOST_TEST(relative_error(state.g, expected.gaps()) < rounding);
      }
    }
}

template <class Method, class... Options>
void check_stages(const StageMethod& method, const Options&... options) {
  check_stages<Method>(all_kinds(method.theta == 1), method, options...);
  check_stages<Method>(on_masses_alone(), method, options...);
}

/// The same without plays.
DenseModel without_plays() {
  const DenseSystem system = dominant(random_unsymmetric(4, 3, 3, 81));
  const auto [I, C, K, D] = dense_elimination(system);
  return {system, {rub(I[0], -0.4, 0.6), rub(I[1], -6., 6.), rub(C[0], -0.3, 0.2), wall(K[1])}};
}

/// Explicit steps, with the selection of ExplicitInclusions: friction on the first mass slides on, that on
/// the second looks a step ahead.
class DenseExplicit {
 public:
  DenseExplicit(const DenseModel& dense, double h) : dense_(dense), h_(h) {}

  Vector select(const Vector& y, double time) const {
    const DenseModel::Motion free = dense_.motion(y, dense_.load(time));
    const DenseLaw& slides = dense_.laws[0];
    const double sliding = free.v[slides.dof] > 0 ? slides.lower : slides.upper;
    return Reactions(dense_.laws).solve([&](const Vector& r) {
      const DenseModel::Motion now = dense_.motion(y, dense_.load(time) + dense_.force(r));
      Vector met(4);
      met << (r[0] - sliding) + (sliding == slides.lower ? 1e3 : -1e3),  // far from rest
          now.v[dense_.laws[1].dof] + h_ * now.a[dense_.laws[1].dof], now.v[dense_.laws[2].dof],
          now.q[dense_.laws[3].dof];
      return met;
    });
  }
  Vector y_rate(const Vector& y, double time) const {
    return dense_.motion(y, dense_.load(time) + dense_.force(select(y, time))).y_rate;
  }

 private:
  const DenseModel& dense_;
  double h_;
};

/// The start of a step in which the first mass slides at +-5; the second comes to rest, or slides as well.
NonsmoothState sliding_start(const NonsmoothModel<>& model, const DenseModel& dense, unsigned seed) {
  NonsmoothState state = random_start(model, dense, seed);
  state.y[dense.n_I + dense.n_C] = seed % 2 == 0 ? 5 : -5;
  state.y[dense.n_I + dense.n_C + 1] = seed % 2 == 0 ? 1e-4 : -0.2;
  return state;
}

/// @param stepped y after the step of length h from (y, t)
template <class Method, class Stepped>
void check_explicit_step(const Stepped& stepped) {
  const DenseModel dense = without_plays();
  const NonsmoothModel<> model = dense.model(std::nullopt);
  const double h = 0.01;
  const DenseExplicit expected(dense, h);
  for (const unsigned seed : {83u, 84u, 85u, 86u}) {
    NonsmoothState state = sliding_start(model, dense, seed);
    const Vector y = stepped(expected, state.y, state.time, h);
    Method(model.inclusions, model.outcome, h).step(state);
    BOOST_TEST(relative_error(state.y, y) < rounding);
    BOOST_TEST(relative_error(state.r, expected.select(y, state.time)) < rounding);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nonsmooth_steps)

BOOST_AUTO_TEST_CASE(steps_of_the_implicit_euler_method_are_its_formula) {
  check_stages<NonsmoothEuler<EigenEngine>>({1., 1., 1., std::nullopt});
}

BOOST_AUTO_TEST_CASE(steps_of_the_moreau_jean_scheme_are_its_formula) {
  for (const double theta : {0.5, 0.7})
    check_stages<MoreauJean<EigenEngine>>({theta, 1., 1., 0.4}, MoreauJeanOptions{theta});
}

BOOST_AUTO_TEST_CASE(steps_of_the_nonsmooth_generalized_alpha_method_are_its_formula) {
  for (const double rho : {0.3, 1.}) {
    const double alpha_m = 0.5 * (3 - rho) / (1 + rho), alpha_f = 1 / (1 + rho);
    check_stages<NonsmoothAlpha<EigenEngine>>({alpha_f, alpha_m, 0.5 + alpha_m - alpha_f, 0.4},
                                              NonsmoothAlphaOptions{rho});
  }
}

BOOST_AUTO_TEST_CASE(a_step_of_the_set_valued_euler_method_is_its_formula) {
  check_explicit_step<SetValuedEuler<EigenEngine>>(
      [](const DenseExplicit& expected, const Vector& y, double t, double h) {
        return Vector(y + h * expected.y_rate(y, t));
      });
}

BOOST_AUTO_TEST_CASE(a_step_of_the_set_valued_runge_kutta_method_is_its_formula) {
  check_explicit_step<SetValuedRungeKutta<EigenEngine>>([](const DenseExplicit& expected, const Vector& y,
                                                           double t, double h) {
    const Vector k_1 = expected.y_rate(y, t), k_2 = expected.y_rate(y + h / 2 * k_1, t + h / 2),
                 k_3 = expected.y_rate(y + h / 2 * k_2, t + h / 2), k_4 = expected.y_rate(y + h * k_3, t + h);
    return Vector(y + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4));
  });
}

BOOST_AUTO_TEST_SUITE_END()
