// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/shape_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/parameters/parametric_system.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

template <class Matrix>
std::string shape_of(const Matrix& A) {
  return shape_text(A.rows().n_global(), A.columns().n_global());
}

template <class Engine>
std::optional<typename Engine::Matrix> total(const std::optional<typename Engine::Matrix>& constant,
                                             const std::vector<MatrixTerm<Engine>>& terms,
                                             const Parameters& parameters) {
  std::optional<typename Engine::Matrix> sum = constant;
  for (const MatrixTerm<Engine>& term : terms) {
    const double factor = term.factor(parameters);
    sum =
        sum ? Engine::sum(1., *sum, factor, term.matrix) : Engine::sum(factor, term.matrix, 0., term.matrix);
  }
  return sum;
}

/// The terms of one matrix, and its name in messages.
template <class Engine>
struct NamedTerms {
  const char* name;
  const std::vector<MatrixTerm<Engine>>& terms;
};

template <class Engine>
std::vector<NamedTerms<Engine>> named(const MatrixTerms<Engine>& all) {
  return {{"mass", all.mass}, {"damping", all.damping}, {"stiffness", all.stiffness}};
}

}  // namespace

template <class Engine>
ParametricSystem<Engine>::ParametricSystem(SystemDescription<Engine> constant, MatrixTerms<Engine> terms,
                                           Parameters parameters)
    : constant_(std::move(constant)), terms_(std::move(terms)), parameters_(std::move(parameters)) {
  check_parameters(parameters_);
  const bool has_constant = constant_.stiffness.rows().n_global() > 0;
  if (!has_constant && terms_.stiffness.empty())
    throw InvalidInput(
        "A system that depends on parameters has no stiffness. Give a constant one, or terms.");
  const std::string shape = shape_of(has_constant ? constant_.stiffness : terms_.stiffness.front().matrix);
  for (const NamedTerms<Engine>& of_matrix : named(terms_))
    for (std::size_t k = 0; k < of_matrix.terms.size(); ++k) {
      const MatrixTerm<Engine>& term = of_matrix.terms[k];
      const std::string name = "Term " + std::to_string(k) + " of the " + of_matrix.name;
      if (shape_of(term.matrix) != shape)
        throw InvalidInput(name + " is " + shape_of(term.matrix) + ", but the stiffness is " + shape +
                           ". All terms need the same rows and columns.");
      for (const std::string& word : term.factor.parameters())
        if (parameters_.count(word) == 0)
          throw InvalidInput(name + " has the factor \"" + term.factor.text() + "\", but \"" + word +
                             "\" is no parameter. Give it a value.");
    }
}

template <class Engine>
bool ParametricSystem<Engine>::depends_on(const std::string& parameter) const {
  for (const NamedTerms<Engine>& of_matrix : named(terms_))
    for (const MatrixTerm<Engine>& term : of_matrix.terms) {
      const std::vector<std::string>& words = term.factor.parameters();
      if (std::find(words.begin(), words.end(), parameter) != words.end()) return true;
    }
  return false;
}

template <class Engine>
SystemDescription<Engine> ParametricSystem<Engine>::describe(const Parameters& changed) const {
  Parameters values = parameters_;
  for (const auto& [name, value] : changed) {
    const auto parameter = values.find(name);
    if (parameter == values.end())
      throw InvalidInput("The system has no parameter \"" + name + "\", for which a value was given.");
    parameter->second = value;
  }
  SystemDescription<Engine> description = constant_;
  description.mass = total<Engine>(constant_.mass, terms_.mass, values);
  description.damping = total<Engine>(constant_.damping, terms_.damping, values);
  const bool has_constant = constant_.stiffness.rows().n_global() > 0;
  description.stiffness = *total<Engine>(
      has_constant ? std::optional<typename Engine::Matrix>(constant_.stiffness) : std::nullopt,
      terms_.stiffness, values);
  return description;
}

template <class Engine>
AssembledSystem<Engine> ParametricSystem<Engine>::at(const Parameters& changed) const {
  return AssembledSystem<Engine>(describe(changed));
}

template class ParametricSystem<InstantiatedEngine>;

}  // namespace halfdof
