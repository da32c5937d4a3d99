#include "case_keys.h"

#include "case_laws.h"
#include "case_methods.h"
#include <algorithm>
#include <numeric>
#include <ostream>

namespace halfdof::cli {

namespace {

/// What stands above the keys of a section.
struct SectionHead {
  const char *name, *head, *meaning;
};

constexpr SectionHead sections[] = {
    {"system", "[system]", "M q'' + C q' + K q = f(t) + H r. Files are relative to the case."},
    {"initial", "[initial]",
     "Where it starts; what the equations do not allow is made consistent and reported."},
    {"load", "[[load]]", "f(t): any number of them, added up."},
    {"inclusion", "[[inclusion]]",
     "Set-valued reactions r along directions: w is the rate, g the gap of a direction against its support."},
    {"integrator", "[integrator]", "How time goes on."},
    {"output", "[output]", "What is written. Files are relative to the case."},
    {"direction", "{dof, weight}", "One entry of a direction, a column of H."},
    {"function", "{times, values, beyond}", "A function of time, by straight lines between points."},
};

std::vector<CaseKey> make_keys() {
  using T = ValueType;
  const std::string force = "force", length = "length", rate = "length/s";
  return {
      {"system", "mass", T::file, "", none, "M, a Matrix Market file; left out: no inertia"},
      {"system", "damping", T::file, "", none, "C, a Matrix Market file; left out: no damping"},
      {"system", "stiffness", T::file, "", required, "K, a Matrix Market file"},
      {"system", "constrained", T::dofs_or_file, "", none, "DoFs that rest at zero"},
      {"system", "null_tolerance", T::number, "", "0.0",
       "columns of M and C up to this times the largest one count as null", Range::from_zero},
      {"system",
       "solver",
       T::text,
       "",
       "\"automatic\"",
       "direct solver of the elimination",
       Range::any,
       {"automatic", "diagonal", "cholmod", "umfpack", "klu"}},

      {"initial", "displacement", T::vector, length, none, "q(0), one entry for each DoF; left out: zero"},
      {"initial", "velocity", T::vector, rate, none, "q'(0); left out: zero"},
      {"initial", "time", T::number, "s", "0.0", "when it starts"},
      {"initial",
       "outside",
       T::text,
       "",
       "\"refuse\"",
       "what to do with displacements that rate-independent friction would not hold: project relaxes them",
       Range::any,
       {"refuse", "project"}},

      {"load", "dof", T::dof, "", none, "the loaded DoF; this or vector"},
      {"load", "vector", T::vector, force, none, "a load on all DoFs, which the expression multiplies"},
      {"load", "expression", T::function, force, required, "how it depends on time"},

      {"inclusion", "name", T::text, "", required, "stands in reports and in r[name], state[name]"},
      {"inclusion", "law", T::text, "", required, "which law", Range::any, law_names()},
      {"inclusion",
       "direction",
       T::direction,
       "",
       required,
       "a positive reaction pushes along it",
       Range::any,
       {},
       {"dry-friction", "st-venant", "unilateral", "weakening", "static-kinetic"}},
      {"inclusion",
       "lower",
       T::function,
       force,
       required,
       "r where w > 0, at most zero",
       Range::any,
       {},
       {"dry-friction"}},
      {"inclusion",
       "upper",
       T::function,
       force,
       required,
       "r where w < 0, at least zero",
       Range::any,
       {},
       {"dry-friction"}},
      {"inclusion",
       "threshold",
       T::function,
       force,
       required,
       "|r| at most, r = -threshold where w > 0",
       Range::any,
       {},
       {"st-venant"}},
      {"inclusion",
       "curve",
       T::text,
       "",
       "\"exponential\"",
       "friction at the speed v: kinetic + (at_rest - kinetic) times exp(-v/speed) or 1/(1 + v/speed)",
       Range::any,
       {"exponential", "hyperbolic"},
       {"weakening"}},
      {"inclusion",
       "at_rest",
       T::number,
       force,
       required,
       "largest friction at rest, at least kinetic",
       Range::from_zero,
       {},
       {"weakening"}},
      {"inclusion",
       "kinetic",
       T::number,
       force,
       required,
       "friction at high speed",
       Range::from_zero,
       {},
       {"weakening"}},
      {"inclusion",
       "speed",
       T::number,
       rate,
       required,
       "over which it falls",
       Range::above_zero,
       {},
       {"weakening"}},
      {"inclusion",
       "static",
       T::function,
       force,
       required,
       "|r| at most while it sticks, at least slipping",
       Range::any,
       {},
       {"static-kinetic"}},
      {"inclusion",
       "slipping",
       T::function,
       force,
       required,
       "|r| while it slips",
       Range::any,
       {},
       {"static-kinetic"}},
      {"inclusion",
       "support",
       T::function,
       length,
       "0.0",
       "motion of what it rubs against",
       Range::any,
       {},
       {"dry-friction", "st-venant", "weakening", "static-kinetic"}},
      {"inclusion", "normal", T::direction, "", required, "out of the obstacle", Range::any, {}, {"coulomb"}},
      {"inclusion",
       "tangents",
       T::directions,
       "",
       required,
       "one in the plane, two in space",
       Range::any,
       {},
       {"coulomb"}},
      {"inclusion",
       "friction",
       T::function,
       "",
       required,
       "the coefficient mu, at least zero",
       Range::any,
       {},
       {"coulomb"}},
      {"inclusion",
       "supports",
       T::functions,
       length,
       none,
       "motion of the obstacle along each tangent; left out: none",
       Range::any,
       {},
       {"coulomb"}},
      {"inclusion",
       "obstacle",
       T::function,
       length,
       "0.0",
       "h(t) of the gap g = (displacement) - h",
       Range::any,
       {},
       {"unilateral", "coulomb"}},
      {"inclusion",
       "restitution",
       T::number,
       "",
       none,
       "e of impacts, where the contact meets mass; left out: nothing rebounds",
       Range::zero_to_one,
       {},
       {"unilateral", "coulomb"}},

      {"integrator", "method", T::text, "", required, "which integrator", Range::any, method_names()},
      {"integrator", "step", T::number, "s", required, "length of a step", Range::above_zero},
      {"integrator", "end", T::number, "s", required, "when it ends, not before [initial] time"},
      {"integrator",
       "theta",
       T::number,
       "",
       "0.5",
       "weight of the end of a step; 0.5 conserves energy",
       Range::half_to_one,
       {},
       {"moreau-jean"}},
      {"integrator",
       "spectral_radius",
       T::number,
       "",
       "0.8",
       "rho_inf, what is left of high frequencies after a step",
       Range::zero_to_one,
       {},
       {"generalized-alpha"}},

      {"output", "file", T::file, "", required, "the table: t,q[3],v[3],r[name],state[name]"},
      {"output", "every", T::whole_number, "", "1", "steps from row to row; the last step is always a row",
       Range::from_one},
      {"output", "displacement", T::dofs, "", "[]", "DoFs for columns q[dof]"},
      {"output", "velocity", T::dofs, "", "[]",
       "DoFs for columns v[dof]; not algebraic ones, whose rates are no part of the motion"},
      {"output", "reactions", T::flag, "", "true",
       "columns r[name] and state[name]; r[name.n], r[name.t] (or .t1, .t2) of Coulomb friction"},
      {"output", "dissipated", T::flag, "", "false", "a column of the energy that the laws have taken out"},
      {"output", "events", T::file, "", none,
       "table of what happened: begin,end,inclusion,before,after, and for each direction rates before and "
       "after, and impulse"},
      {"output", "plot", T::file, "", none, "picture of the table over time (PNG, by gnuplot)"},

      {"direction", "dof", T::dof, "", required, "0-based assembled index"},
      {"direction", "weight", T::number, "", "1.0", "of this DoF"},

      {"function", "times", T::numbers, "s", required, "increasing"},
      {"function", "values", T::numbers, "", required, "as many; a jump is written as a short ramp"},
      {"function",
       "beyond",
       T::text,
       "",
       "\"hold\"",
       "before the first and behind the last time: hold those values, repeat the table, or refuse",
       Range::any,
       {"hold", "repeat", "refuse"}},
  };
}

/// Edit distance (Levenshtein 1966).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

void print(std::ostream& out, const CaseKey& key) {
  out << "  " << key.name << ": " << name_of(key.type) << (key.unit.empty() ? "" : " [" + key.unit + "]");
  if (*name_of(key.range)) out << ", " << name_of(key.range);
  out << (key.default_value == required ? ", required"
          : key.default_value == none   ? ", optional"
                                        : ", default " + key.default_value)
      << "\n      " << key.meaning << '\n';
  if (!key.choices.empty()) out << "      one of: " << joined(key.choices) << '\n';
  if (!key.of.empty()) out << "      for " << deciding_key(key.section) << ": " << joined(key.of) << '\n';
}

}  // namespace

const char* name_of(ValueType type) {
  switch (type) {
    case ValueType::file:
      return "the name of a file";
    case ValueType::text:
      return "a text";
    case ValueType::number:
      return "a number";
    case ValueType::whole_number:
      return "a whole number";
    case ValueType::flag:
      return "true or false";
    case ValueType::function:
      return "a function of time (a number, a formula in t as text, or {times = [...], values = [...]})";
    case ValueType::functions:
      return "a list of functions of time (numbers, formulas in t as text, or {times = [...], values = "
             "[...]})";
    case ValueType::vector:
      return "a list of numbers or the name of a Matrix Market file";
    case ValueType::dof:
      return "a DoF, its 0-based assembled index";
    case ValueType::dofs:
      return "a list of DoFs, 0-based assembled indices";
    case ValueType::dofs_or_file:
      return "a list of DoFs, 0-based assembled indices, or the name of a file with one a line";
    case ValueType::direction:
      return "a direction [{dof = 2, weight = 1.0}, ...]";
    case ValueType::directions:
      return "a list of directions [[{dof = 2, weight = 1.0}, ...], ...]";
    case ValueType::numbers:
      break;
  }
  return "a list of numbers";
}

const char* name_of(Range range) {
  switch (range) {
    case Range::any:
      return "";
    case Range::from_zero:
      return "at least 0";
    case Range::above_zero:
      return "above 0";
    case Range::zero_to_one:
      return "from 0 to 1";
    case Range::half_to_one:
      return "from 0.5 to 1";
    case Range::from_one:
      break;
  }
  return "at least 1";
}

bool is_inside(Range range, double value) {
  switch (range) {
    case Range::any:
      return true;
    case Range::from_zero:
      return value >= 0;
    case Range::above_zero:
      return value > 0;
    case Range::zero_to_one:
      return value >= 0 && value <= 1;
    case Range::half_to_one:
      return value >= 0.5 && value <= 1;
    case Range::from_one:
      break;
  }
  return value >= 1;
}

const std::vector<CaseKey>& case_keys() {
  static const std::vector<CaseKey> keys = make_keys();
  return keys;
}

std::string deciding_key(const std::string& section) {
  return section == "inclusion" ? "law" : section == "integrator" ? "method" : "";
}

std::vector<CaseKey> keys_of(const std::string& section, const std::string& decided) {
  std::vector<CaseKey> keys;
  for (const CaseKey& key : case_keys())
    if (key.section == section && (decided.empty() || key.of.empty() ||
                                   std::find(key.of.begin(), key.of.end(), decided) != key.of.end()))
      keys.push_back(key);
  return keys;
}

void print_case_keys(std::ostream& out) {
  out << "The keys of a case (TOML). Units are those of the matrices, time is in seconds; formulas may use "
         "t, pi\n"
         "and the functions of muParser.\n";
  for (const SectionHead& section : sections) {
    out << '\n' << section.head << "  " << section.meaning << '\n';
    for (const CaseKey& key : keys_of(section.name))
      print(out, key);
  }
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = word.size() / 3 + 2;  // as many mistakes are one too many
  for (const std::string& name : names)
    if (const std::size_t mistakes = distance(word, name); mistakes < least) {
      least = mistakes;
      best = name;
    }
  return best;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace halfdof::cli
