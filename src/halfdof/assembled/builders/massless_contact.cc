// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/contact_bodies.h>
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/engine.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr Index n_named = 5;                      // largest number of DoFs in a message
constexpr double symmetry_tolerance = 1e-12;      // relative to column norms
constexpr double definiteness_tolerance = 1e-10;  // relative to column norms
constexpr double solvability_tolerance = 1e-9;    // of (2), relative to the moments that are moved
constexpr double rank_tolerance = 1e-11;          // of the equations for Lambda

using Linear = Eigen::Matrix<double, n_linear, n_linear>;
using Quadratic = Eigen::Matrix<double, n_quadratic, n_quadratic>;

/// Names the chosen DoFs of all processes by ascending value: "DoF 3 (x), DoF 4 (x) and 7 more". Collective.
template <class Engine>
std::string named(const AssembledSystem<Engine>& system, std::vector<std::pair<double, Index>> chosen) {
  const Communicator& communicator = system.dofs().communicator();
  const GlobalIndex n = communicator.count(static_cast<GlobalIndex>(chosen.size()));
  std::sort(chosen.begin(), chosen.end());
  if (chosen.size() > n_named) chosen.resize(n_named);
  std::vector<double> values;
  std::string here;
  for (const auto& [value, dof] : chosen) {
    values.push_back(value);
    here += system.describe(dof) + '\n';
  }
  values = gather(communicator, values);
  std::vector<std::pair<double, std::string>> all;
  for (const std::string& lines : communicator.gather(here))
    for (std::size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1)
      all.emplace_back(values[all.size()], lines.substr(begin, end - begin));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  const std::size_t n_shown = std::min<std::size_t>(all.size(), n_named);
  for (std::size_t i = 0; i < n_shown; ++i)
    text += (i == 0 ? "" : ", ") + all[i].second;
  const auto rest = n - static_cast<GlobalIndex>(n_shown);
  return text + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

/// Solves for the Lambda of one pair of components. @return whether (2) can be satisfied
bool solve_moments(const Quadratic& of_rest, const Linear& moved, Linear& Lambda) {
  Lambda.setZero();
  if (moved.isZero(0)) return true;
  constexpr Index n = n_linear * n_linear;
  Eigen::Matrix<double, n, n> equations;
  for (Index unknown = 0; unknown < n; ++unknown)
    for (Index equation = 0; equation < n; ++equation)
      equations(equation, unknown) = of_rest(number_of_product(equation % n_linear, unknown % n_linear),
                                             number_of_product(equation / n_linear, unknown / n_linear));
  const Eigen::Map<const Eigen::Matrix<double, n, 1>> right(moved.data());
  const Vector solution = LeastSquares(equations, rank_tolerance).solve(Vector(right));
  Lambda = Eigen::Map<const Linear>(solution.data());
  return (equations * solution - right).norm() <= solvability_tolerance * right.norm();
}

/// Vectors with sum of left_k right_k^T = Lambda; for a symmetric Lambda, left_k = +-right_k exactly.
struct Dyads {
  MultiVector left, right;
};

Dyads dyads(const MultiVector& Lambda, bool is_symmetric) {
  if (is_symmetric) {
    const SymmetricEigenpairs eigen = symmetric_eigenpairs((Lambda + Lambda.transpose()) / 2);
    const MultiVector right = eigen.vectors * eigen.values.cwiseAbs().cwiseSqrt().asDiagonal();
    return {right * eigen.values.cwiseSign().asDiagonal(), right};
  }
  const SingularValueDecomposition svd = singular_value_decomposition(Lambda);
  return {svd.U * svd.values.asDiagonal(), svd.V};
}

template <class Engine>
class Redistribution {
 public:
  using Matrix = typename Engine::Matrix;

  Redistribution(const AssembledSystem<Engine>& system, const std::vector<GlobalIndex>& contact)
      : system_(system),
        bodies_(system, contact),
        is_symmetric_(Engine::asymmetry(system.M()) <= symmetry_tolerance) {}

  Matrix mass() const;

 private:
  /// Returns for each body the matrix Lambda with rows and columns (component, field).
  std::vector<MultiVector> lambdas(const Matrix& M_rest, const Matrix& moved) const;
  Matrix add_change(Matrix M, const Matrix& M_rest, const std::vector<MultiVector>& Lambda) const;
  void check_definite(const Matrix& M, const std::vector<MultiVector>& Lambda) const;
  /// Whether the rows and columns in `massive`, those of the rest that have mass, are positive semidefinite.
  bool is_definite(const Matrix& M, const std::vector<Index>& massive) const;
  /// Returns 1 + a_i^T Lambda a_i.
  double factor(const std::vector<MultiVector>& Lambda, Index i) const;
  /// Returns a_i as a row of the fields of all components.
  Vector field_row(Index i) const;
  std::string contact_of(Index body, Index component) const;
  [[noreturn]] void refuse(Index body, Index component, double mass_of_rest) const;

  const AssembledSystem<Engine>& system_;
  ContactBodies<Engine> bodies_;
  bool is_symmetric_;
};

template <class Engine>
typename Engine::Matrix Redistribution<Engine>::mass() const {
  const Matrix& M = system_.M();
  if (bodies_.n_bodies() == 0) return M;
  const Vector &s = bodies_.contact(), &r = bodies_.rest();
  const Matrix moved = Engine::sum(1., Engine::scaled(M, s, s + r), 1., Engine::scaled(M, r, s));
  const Matrix M_rest = Engine::scaled(M, r, r);
  const std::vector<MultiVector> Lambda = lambdas(M_rest, moved);
  const Matrix changed = add_change(Engine::sum(1., M, -1., moved), M_rest, Lambda);
  if (is_symmetric_) check_definite(changed, Lambda);
  return changed;
}

template <class Engine>
std::vector<MultiVector> Redistribution<Engine>::lambdas(const Matrix& M_rest, const Matrix& moved) const {
  const Index n = bodies_.n_components();
  const MultiVector of_rest = moments(bodies_, M_rest, bodies_.products());
  const MultiVector of_moved = moments(bodies_, moved, bodies_.a());
  std::vector<MultiVector> all;
  for (Index body = 0; body < bodies_.n_bodies(); ++body) {
    MultiVector Lambda = MultiVector::Zero(n * n_linear, n * n_linear);
    for (Index c = 0; c < n; ++c)
      for (Index d = 0; d < n; ++d) {
        const Index block = (body * n + c) * n + d;
        const Quadratic Q = of_rest.middleCols<n_quadratic>(n_quadratic * block);
        Linear part;
        if (!solve_moments(Q, of_moved.middleCols<n_linear>(n_linear * block), part))
          refuse(body, c, Q(0, 0));
        Lambda.block<n_linear, n_linear>(c * n_linear, d * n_linear) = part;
      }
    all.push_back(Lambda);
  }
  return all;
}

template <class Engine>
Vector Redistribution<Engine>::field_row(Index i) const {
  Vector row = Vector::Zero(bodies_.n_components() * n_linear);
  row.segment<n_linear>(bodies_.component(i) * n_linear) = bodies_.a().row(i);
  return row;
}

/// Adds to M the sum over k of diag(left_k) M_rest diag(right_k).
template <class Engine>
typename Engine::Matrix Redistribution<Engine>::add_change(Matrix M, const Matrix& M_rest,
                                                           const std::vector<MultiVector>& Lambda) const {
  std::vector<Dyads> terms;
  terms.reserve(Lambda.size());
  for (const MultiVector& of_body : Lambda)
    terms.push_back(dyads(of_body, is_symmetric_));
  const Index n_local = system_.dofs().n_local();
  for (Index k = 0; k < bodies_.n_components() * n_linear; ++k) {
    if (std::all_of(terms.begin(), terms.end(),
                    [&](const Dyads& term) { return term.left.col(k).isZero(0); }))
      continue;
    Vector left = Vector::Zero(n_local), right = left;
    for (Index i = 0; i < n_local; ++i) {
      if (bodies_.rest()[i] == 0.) continue;
      const Dyads& term = terms[static_cast<std::size_t>(bodies_.body(i))];
      const Vector row = field_row(i);
      left[i] = row.dot(term.left.col(k));
      right[i] = row.dot(term.right.col(k));
    }
    M = Engine::sum(1., M, 1., Engine::scaled(M_rest, left, right));
  }
  return M;
}

template <class Engine>
double Redistribution<Engine>::factor(const std::vector<MultiVector>& Lambda, Index i) const {
  const Vector row = field_row(i);
  return 1 + row.dot(Lambda[static_cast<std::size_t>(bodies_.body(i))] * row);
}

template <class Engine>
bool Redistribution<Engine>::is_definite(const Matrix& M, const std::vector<Index>& massive) const {
  const Selection rest(massive, system_.dofs());
  const Vector norms = Engine::column_norms(M)(massive);
  const Matrix margin = Engine::diagonal(definiteness_tolerance * norms, rest.partition());
  FactorizationOptions options;
  // M is symmetric up to rounding, which is larger relative to the mass that redistribution leaves.
  options.symmetry_tolerance = definiteness_tolerance;
  try {
    return Engine::factorize(Engine::sum(1., Engine::submatrix(M, rest, rest), 1., margin), options)
        ->report()
        .is_positive_definite;
  } catch (const SingularMatrix&) {
    return false;
  }
}

template <class Engine>
void Redistribution<Engine>::check_definite(const Matrix& M, const std::vector<MultiVector>& Lambda) const {
  const Vector norms = Engine::column_norms(M);
  std::vector<Index> massive;
  for (Index i = 0; i < norms.size(); ++i)
    if (bodies_.rest()[i] > 0 && norms[i] > 0) massive.push_back(i);
  if (is_definite(M, massive)) return;
  if (!is_definite(system_.M(), massive))
    throw InvalidInput(
        "The mass of the contact DoFs (" + contact_of(-1, -1) +
        ") cannot be redistributed: the mass matrix that was given is not positive semidefinite "
        "on the other DoFs. Look for a negative density, an inverted element or a wrong sign.");
  std::vector<std::pair<double, Index>> lowest;
  lowest.reserve(massive.size());
  for (const Index i : massive)
    lowest.emplace_back(factor(Lambda, i), i);
  throw InvalidInput(
      "The mass of the contact DoFs (" + contact_of(-1, -1) +
      ") cannot be redistributed: keeping total mass, centre and moments of inertia would leave "
      "a mass matrix that is not positive semidefinite. The rest of the body would have to give up mass, "
      "most of it at " +
      named(system_, lowest) +
      ". Refine the mesh, so that less of the mass is on the contact, make fewer DoFs massless, "
      "or leave out the support points of the labels: then the total mass alone is kept.");
}

/// Names the contact DoFs of a body in a component.
/// @param body,component -1 selects all bodies or all components
template <class Engine>
std::string Redistribution<Engine>::contact_of(Index body, Index component) const {
  std::vector<std::pair<double, Index>> chosen;
  for (Index i = 0; i < bodies_.contact().size(); ++i)
    if (bodies_.contact()[i] > 0 && (body < 0 || bodies_.body(i) == body) &&
        (component < 0 || bodies_.component(i) == component))
      chosen.emplace_back(static_cast<double>(system_.dofs().global_index(i)), i);
  return named(system_, chosen);
}

template <class Engine>
void Redistribution<Engine>::refuse(Index body, Index component, double mass_of_rest) const {
  const std::string begin =
      "The mass of the contact DoFs (" + contact_of(body, component) + ") cannot be redistributed: ";
  if (mass_of_rest == 0.)
    throw InvalidInput(begin +
                       "they hold all the mass of their body in this component, so that no other DoF can "
                       "carry it. Make fewer DoFs of the body massless, or refine its mesh.");
  throw InvalidInput(
      begin +
      "with the DoFs that remain, their body cannot keep total mass, centre and moments of "
      "inertia, because there are too few of them or all lie in one line or plane. Refine the "
      "mesh, make fewer DoFs massless, or leave out the support points of the labels: then the "
      "total mass alone is kept.");
}

void check_dofs(const std::vector<GlobalIndex>& contact, GlobalIndex n_dofs,
                const Communicator& communicator) {
  std::string bytes;
  for (const GlobalIndex dof : contact)
    bytes += std::to_string(dof) + ' ';
  if (!is_same_everywhere(communicator, bytes))
    throw InvalidInput(
        "The lists of contact DoFs differ between processes. Give all of them on every process, also on "
        "those that own none.");
  for (const GlobalIndex dof : contact)
    if (dof < 0 || dof >= n_dofs)
      throw InvalidInput("The contact DoF " + std::to_string(dof) +
                         " does not exist: assembled degrees of freedom run from 0 to " +
                         std::to_string(n_dofs - 1) + ". Correct the index; it is 0-based.");
}

}  // namespace

template <class Engine>
SystemDescription<Engine> with_massless_contact(const SystemDescription<Engine>& description,
                                                const std::vector<GlobalIndex>& contact) {
  const AssembledSystem<Engine> system(description);
  check_dofs(contact, system.n_dofs(), system.dofs().communicator());
  SystemDescription<Engine> result = description;
  result.mass = Redistribution<Engine>(system, contact).mass();
  return result;
}

template SystemDescription<InstantiatedEngine> with_massless_contact(
    const SystemDescription<InstantiatedEngine>&, const std::vector<GlobalIndex>&);

}  // namespace halfdof
