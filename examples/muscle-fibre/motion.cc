// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion.h"

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>

#include <Eigen/LU>

#include <memory>

using namespace halfdof;

namespace {

DifferentiableLoad load_of(const Fibre& fibre, const FirstOrderForm& first_order) {
  return {first_order.B * fibre.L(),
          {[fibre](double t) { return fibre.activation(t); },
           [fibre](double t) { return fibre.activation_rate(t); }}};
}

/// Returns the directions of the friction, which acts on the equation of the slide and depends on the rate of
/// the slide.
ReactionDirections slide_directions(const Fibre& fibre, const FirstOrderForm& first_order) {
  const Index n_x = static_cast<Index>(first_order.E.rows());
  return {first_order.B.col(fibre.slide()),
          MultiVector::Identity(n_x, n_x).rightCols(1),
          {"friction of the slide"}};
}

}  // namespace

FibreModel::FibreModel(const Fibre& given)
    : fibre(given),
      first_order(companion_form(fibre.M(), fibre.C(), fibre.K())),
      form(first_order.E, first_order.A),
      load(load_of(fibre, first_order)),
      slide(inclusion_in(form, slide_directions(fibre, first_order))) {}

FibreMotion implicit_euler(const FibreModel& model, double end, int n_steps, int n_shown) {
  const Fibre& fibre = model.fibre;
  const WeierstrassForm& form = model.form;
  const double h = end / n_steps;
  const Index n = fibre.n_dofs(), n_f = form.n_finite();
  const Eigen::PartialPivLU<MultiVector> P(MultiVector::Identity(n_f, n_f) - h * form.A_1());
  const MultiVector PB = P.solve(model.slide.B_1), Z_1L = form.Z_1() * model.load.directions;
  const MultiVector algebraic_output =
      MultiVector::Identity(2 * n, 2 * n).rightCols(1).transpose() * form.T_2();
  const AlgebraicSolution v_2(form, model.load);
  OneStepSolver solver(OneStepProblem({{std::make_shared<DryFriction>(-fibre.a, fibre.a), "slide"}},
                                      model.slide.W_alg + h * model.slide.C_1 * PB));

  FibreMotion motion{
      Vector(n_shown + 1), MultiVector(n_shown + 1, n), MultiVector(n_shown + 1, n), Vector(n_shown + 1), {}};
  WeierstrassParts v = consistent_value(form, Vector::Zero(2 * n), model.load).parts;
  Vector r = Vector::Zero(1), w;
  std::vector<ContactState> contact = {ContactState::stick};
  for (int step = 0; step <= n_steps; ++step) {
    const double t = h * step;
    if (step > 0) {
      const Vector free = P.solve(v.v_1 + h * Z_1L * fibre.activation(t));
      const Vector v_2_of_load = v_2.at(t);
      LawsAtTime laws = solver.problem().laws_at(t, contact);
      const Vector b = model.slide.C_1 * free + algebraic_output * v_2_of_load;
      solver.solve(laws, b, r, w);
      contact = solver.problem().states(laws, b, r, w);
      v = {free + h * PB * r, v_2_of_load + model.slide.v_2 * r};
    }
    if (step % (n_steps / n_shown) != 0) continue;
    const Index row = step / (n_steps / n_shown);
    const Vector x = form.lift(v);
    motion.time[row] = t;
    motion.q.row(row) = x.head(n);
    motion.v.row(row) = x.tail(n);
    motion.r[row] = r[0];
    motion.contact.push_back(contact[0]);
  }
  return motion;
}
