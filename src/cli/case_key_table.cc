// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_keys.h"
#include "case_laws.h"
#include "case_methods.h"
#include <algorithm>

namespace halfdof::cli {

namespace {

using T = ValueType;

const char* const force = "force";
const char* const length = "length";
const char* const rate = "length/s";

std::vector<CaseKey> model_keys() {
  return {
      {"system", "model", T::texts, "", none,
       "names of the files of all matrices, instead of mass, damping and stiffness; the names say which is "
       "which"},
      {"system", "mass", T::matrix, "", none,
       "M; FILE:NAME takes one of several matrices in a file; left out: no inertia"},
      {"system", "damping", T::matrix, "", none, "C; left out: no damping"},
      {"system", "stiffness", T::matrix, "", none, "K; this or model"},
      {"system", "dofs", T::file, "", none, "labels of the DoFs: a node and a component a line"},
      {"system", "prony", T::texts, "", none,
       "series of `halfdof prony` with which the stiffness relaxes; SERIES*STIFFNESS: a part of it; internal "
       "DoFs follow those of the files"},
      {"system", "structural_damping", T::losses, "", none,
       "K_i of the complex stiffness K + i K_i, for inspect, reduce, modes, response and report: a loss "
       "factor (then K_i is this times K), a file (of a complex one, the imaginary part), or a sum of both; "
       "added "
       "to the imaginary part of the matrices"},
      {"system", "constrained", T::dofs_or_file, "", none, "DoFs that rest at zero"},
      {"system", "constraint_position", T::file, "", none,
       "A_2 of constraints A_1 q' + A_2 q = b, a matrix; row i brings a multiplier, DoF n + i"},
      {"system", "constraint_rate", T::file, "", none, "A_1 of these constraints, a matrix"},
      {"system", "constraint_value", T::file, "", none,
       "b of these constraints, a Matrix Market vector; left out: zero"},
      CaseKey{"system", "null_tolerance", T::number, "", "0.0",
              "columns of M and C up to this part of the largest one count as null"}
          .within(Range::from_zero),
      CaseKey{"system", "solver", T::text, "", "\"automatic\"", "direct solver of the elimination"}.one_of(
          {"automatic", "diagonal", "cholmod", "ldlt", "umfpack", "klu"}),
      CaseKey{"system", "method", T::text, "", "\"auto\"",
              "how half DoFs are found: by null columns, by kernels of M and C, by constraints with "
              "multipliers in K, by the Weierstrass form (dense, any index), or by the first that suffices"}
          .one_of({"auto", "null-columns", "kernel", "constraints", "weierstrass"}),
      CaseKey{"system", "max_dense", T::whole_number, "", "1000",
              "largest number of directions of inclusions for which Delassus matrices are computed"}
          .within(Range::count),

      {"initial", "displacement", T::vector, length, none, "q(0), one entry for each DoF; left out: zero"},
      {"initial", "velocity", T::vector, rate, none, "q'(0); left out: zero"},
      {"initial", "time", T::number, "s", "0.0", "start time of the run"},
      CaseKey{"initial", "inadmissible_friction", T::text, "", "\"refuse\"",
              "if rate-independent friction would have to exceed its threshold to hold the given "
              "displacements: refuse reports an error; project lets this friction slip until its reaction is "
              "within the threshold"}
          .one_of({"refuse", "project"}),

      {"load", "dof", T::dof, "", none, "the loaded DoF; this or vector"},
      {"load", "vector", T::vector, force, none, "a load on all DoFs, which the expression multiplies"},
      {"load", "expression", T::function, force, required, "factor that depends on time"},

      {"element", "dof", T::dof, "", required, "x = q[dof] - q[other]"},
      {"element", "other", T::dof, "", none, "the other end; left out: the ground"},
      {"element", "cubic", T::number, "force/length^3", "0.0", "k_3 of a spring that hardens or softens"},
      CaseKey{"element", "quadratic", T::number, "force s^2/length^2", "0.0",
              "d of a damper; its DoFs need mass or linear damping, as it has none at rest"}
          .within(Range::from_zero),
  };
}

std::vector<CaseKey> inclusion_keys() {
  const auto key = [](const char* name, T type, const char* unit, const char* default_value,
                      std::vector<std::string> laws, const char* meaning) {
    return CaseKey{"inclusion", name, type, unit, default_value, meaning}.only_of(std::move(laws));
  };
  const std::vector<std::string> rubbing = {"dry-friction", "st-venant", "weakening", "static-kinetic"},
                                 touching = {"unilateral", "coulomb"};
  std::vector<std::string> scalar = rubbing;
  scalar.push_back("unilateral");
  return {
      key("name", T::text, "", required, {}, "name in reports and in the columns r[name], state[name]"),
      key("law", T::text, "", required, {}, "which law").explained_by(explained_laws()),
      key("direction", T::direction, "", required, scalar, "a positive reaction pushes along it"),
      key("lower", T::function, force, required, {"dry-friction"}, "r where w > 0").within(Range::to_zero),
      key("upper", T::function, force, required, {"dry-friction"}, "r where w < 0").within(Range::from_zero),
      key("threshold", T::function, force, required, {"st-venant"}, "|r| at most, r = -threshold where w > 0")
          .within(Range::from_zero),
      key("curve", T::text, "", "\"exponential\"", {"weakening"},
          "friction at the speed v: kinetic + (at_rest - kinetic) c")
          .explained_by(explained_curves()),
      key("at_rest", T::number, force, required, {"weakening"}, "largest friction at rest, at least kinetic")
          .within(Range::from_zero),
      key("kinetic", T::number, force, required, {"weakening"}, "friction at high speed")
          .within(Range::from_zero),
      key("speed", T::number, rate, required, {"weakening"}, "speed over which friction falls")
          .within(Range::above_zero),
      key("static", T::function, force, required, {"static-kinetic"},
          "|r| at most while it sticks, at least slipping")
          .within(Range::from_zero),
      key("slipping", T::function, force, required, {"static-kinetic"}, "|r| while it slips")
          .within(Range::from_zero),
      key("support", T::function, length, "0.0", rubbing, "motion of the surface on which it slips"),
      key("normal", T::direction, "", required, {"coulomb"}, "out of the obstacle"),
      key("tangents", T::directions, "", required, {"coulomb"},
          "one in the plane; two in space, orthonormal"),
      key("friction", T::function, "", required, {"coulomb"}, "the coefficient mu").within(Range::from_zero),
      key("supports", T::functions, length, none, {"coulomb"},
          "motion of the obstacle along each tangent; left out: none"),
      key("obstacle", T::function, length, "0.0", touching, "h(t) of the gap g = (displacement) - h"),
      key("restitution", T::number, "", none, touching,
          "coefficient e of impacts, for contacts with mass; left out: no rebound")
          .within(Range::zero_to_one),
  };
}

std::vector<CaseKey> integrator_keys() {
  const auto key = [](const char* name, T type, const char* unit, const char* default_value,
                      std::vector<std::string> methods, const char* meaning) {
    return CaseKey{"integrator", name, type, unit, default_value, meaning}.only_of(std::move(methods));
  };
  const std::vector<std::string> by_events = {"event-driven"};
  return {
      key("method", T::text, "", required, {}, "which integrator").explained_by(explained_methods()),
      key("end", T::number, "s", required, {}, "end time of the run, not before [initial] time"),
      key("step", T::number, "s", required, methods_with_a_step(), "length of a step")
          .within(Range::above_zero),
      key("step", T::number, "s", none, controlled_methods(), "length of a step; this or relative_tolerance")
          .within(Range::above_zero),
      key("relative_tolerance", T::number, "", none, controlled_methods(),
          "instead of step: accumulated error of the smooth motion, and error of each impact or change of "
          "state, relative to the largest displacement and the largest rate; it chooses the length of each "
          "step")
          .within(Range::tolerance),
      key("law_tolerance", T::number, "", "1e-12", {"implicit-euler", "moreau-jean", "generalized-alpha"},
          "relative residual of the laws in a step; values below 1e-14, or below the rounding of gaps and "
          "rates, are raised, which is reported")
          .within(Range::above_zero),
      key("theta", T::number, "", "0.5", {"moreau-jean"}, "weight of the end of a step; 0.5 conserves energy")
          .within(Range::half_to_one),
      key("impact_law", T::text, "", "\"newton\"", {"moreau-jean", "event-driven"},
          "how contacts with mass rebound by their restitution")
          .explained_by(
              {{"newton", "rates of all contacts at once, w+ >= -e w-"},
               {"poisson", "impulses: expansion gives back the part e of those of compression"},
               {"sequential",
                "one contact after the other, the fastest first, until none approaches: for cradles"}}),
      key("position_correction", T::flag, "", "false", {"moreau-jean"},
          "put contacts that come to rest inside their obstacles back onto these; needs a step"),
      key("spectral_radius", T::number, "", "0.8", {"generalized-alpha"},
          "rho_inf, the factor of high frequencies in a step")
          .within(Range::zero_to_one),
      key("eigenvalues", T::whole_number, "", "0", {"memory"},
          "number of eigenvalues to keep, those nearest the origin; 0: all. The static compliance of the "
          "omitted modes is kept too, unless a law weakens with the rate or has a coefficient of restitution")
          .within(Range::count_or_zero),
      key("lambda", T::number, "s^2", required, {"paoli-schatzman"},
          "lambda of the penalty: a contact lasts about pi sqrt(lambda); steps should stay below 0.1 "
          "sqrt(lambda)")
          .within(Range::above_zero),
      key("relative_tolerance", T::number, "", "1e-10", by_events,
          "error of a step, relative to the largest displacement and the largest velocity")
          .within(Range::tolerance),
      key("absolute_tolerance", T::number, "", "0", by_events,
          "absolute error of a step in the units of displacements and velocities")
          .within(Range::from_zero),
      key("largest_step", T::number, "s", none, by_events,
          "no step is longer; formulas and tables are resolved without one")
          .within(Range::above_zero),
      key("shortest_flight", T::number, "s", none, by_events,
          "a rebound that would come back within this time ends at rest; left out: 1e-6 of the time scale of "
          "the structure, or of the run where nothing oscillates")
          .within(Range::above_zero),
      key("breakpoints", T::numbers, "s", "[]", by_events,
          "times at which steps have to end, in addition to kinks and jumps of formulas and tables"),
      key("max_states", T::whole_number, "", "500", by_events,
          "largest number of states, since the reduced system is stored as a dense matrix")
          .within(Range::count),
  };
}

std::vector<CaseKey> output_keys() {
  return {
      {"output", "file", T::file, "", required, "the table: t,q[3],v[3],r[name],state[name]"},
      CaseKey{"output", "every", T::whole_number, "", "1",
              "steps from row to row; the first and the last point are always rows"}
          .within(Range::count),
      CaseKey{
          "output", "interval", T::number, "s", none,
          "time from row to row instead, for event-driven and with relative_tolerance: a step ends at each"}
          .within(Range::above_zero),
      {"output", "displacement", T::dofs, "", "[]", "DoFs for columns q[dof]"},
      {"output", "velocity", T::dofs, "", "[]",
       "DoFs for columns v[dof]; not for algebraic ones, whose rates are not states"},
      {"output", "reactions", T::flag, "", "true",
       "columns r[name] and state[name]; r[name.n], r[name.t] (or .t1, .t2) of Coulomb friction"},
      {"output", "dissipated", T::flag, "", "false", "a column of the energy that all laws have dissipated"},
      {"output", "gaps", T::flag, "", "false", "columns g[name] of the gaps of contacts"},
      {"output", "slips", T::flag, "", "false",
       "columns slip[name], relative to the support and since the start, slip_rate[name], and "
       "slip_total[name], the path, for laws with friction; .t, .t1, .t2 as for reactions"},
      {"output", "energies", T::flag, "", "false",
       "columns kinetic, potential, work (of loads and prescribed motions), damped (by C), reaction_work (of "
       "the laws on the structure), for symmetric matrices: kinetic + potential + damped - work - "
       "reaction_work is constant except for the error of steps"},
      {"output", "dissipated_each", T::flag, "", "false",
       "columns dissipated[name] of the energy that each law has dissipated; laws along one line have a "
       "common column, such as \"a + b\""},
      {"output", "events", T::file, "", none,
       "table of events: begin,end,inclusion,before,after, and for each direction rates before and after, "
       "and impulse"},
      CaseKey{"output", "checkpoint_interval", T::number, "s", "60.0",
              "wall-clock time between checkpoints; --resume continues from the last one"}
          .within(Range::from_zero),
      CaseKey{"output", "checkpoint_every", T::whole_number, "", "0",
              "largest number of steps between checkpoints; 0: only checkpoint_interval counts"}
          .within(Range::count_or_zero),
      {"output", "plot", T::file, "", none, "picture of the table over time (.png or .svg, by gnuplot)"},
  };
}

std::vector<CaseKey> plot_keys() {
  return {
      {"plot", "x", T::text, "", "\"t\"", "the column of the table that curves are drawn over"},
      {"plot", "y", T::texts, "", required,
       "columns of the table, of one unit: at most four, one curve each"},
      {"plot", "title", T::text, "", none, "above the panel"},
  };
}

std::vector<CaseKey> inline_keys() {
  return {
      {"term", "file", T::file, "", required, "a matrix; FILE:NAME takes one of several in a file"},
      {"term", "factor", T::factor, "", "1.0", "number that multiplies it"},
      {"loss", "file", T::file, "", none,
       "a matrix; left out: the stiffness K, whose loss factor the factor is"},
      {"loss", "factor", T::factor, "", "1.0", "number that multiplies it, not zero; required without file"},

      {"direction", "dof", T::dof, "", required, "0-based assembled index, or \"12:x\""},
      {"direction", "weight", T::number, "", "1.0", "of this DoF"},

      {"function", "times", T::numbers, "s", none, "increasing"},
      {"function", "values", T::numbers, "", none,
       "one value for each time; a jump is written as a short ramp"},
      {"function", "file", T::file, "", none,
       "instead of both: one time and one value a line, separated by blanks, # begins a comment"},
      CaseKey{"function", "beyond", T::text, "", "\"hold\"",
              "before the first and after the last time: hold those values, repeat the table, or refuse"}
          .one_of({"hold", "repeat", "refuse"}),
  };
}

std::vector<CaseKey> all_keys() {
  std::vector<CaseKey> all;
  for (const auto& of_section :
       {model_keys(), inclusion_keys(), integrator_keys(), output_keys(), plot_keys(), inline_keys()})
    all.insert(all.end(), of_section.begin(), of_section.end());
  return all;
}

}  // namespace

bool CaseKey::is_of(const std::string& law_or_method) const {
  return law_or_method.empty() || of.empty() || std::find(of.begin(), of.end(), law_or_method) != of.end();
}

CaseKey CaseKey::within(Range allowed) const {
  CaseKey key = *this;
  key.range = allowed;
  return key;
}

CaseKey CaseKey::one_of(std::vector<std::string> allowed) const {
  CaseKey key = *this;
  key.choices = std::move(allowed);
  return key;
}

CaseKey CaseKey::explained_by(const std::vector<Explained>& allowed) const {
  CaseKey key = *this;
  key.explained = allowed;
  for (const Explained& choice : allowed)
    key.choices.push_back(choice.name);
  return key;
}

CaseKey CaseKey::only_of(std::vector<std::string> laws_or_methods) const {
  CaseKey key = *this;
  key.of = std::move(laws_or_methods);
  return key;
}

const std::vector<CaseKey>& case_keys() {
  static const std::vector<CaseKey> keys = all_keys();
  return keys;
}

}  // namespace halfdof::cli
