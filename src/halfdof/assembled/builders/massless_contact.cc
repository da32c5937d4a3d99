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

constexpr Index max_names = 5;                    // largest number of DoFs in a message
constexpr double symmetry_tolerance = 1e-12;      // relative to column norms
constexpr double definiteness_tolerance = 1e-10;  // relative to column norms
constexpr double solvability_tolerance =
    1e-9;                                 // residual of the moment equations, relative to the right side
constexpr double rank_tolerance = 1e-11;  // rank of the moment equations for Lambda

using Linear = Eigen::Matrix<double, n_linear, n_linear>;
using Quadratic = Eigen::Matrix<double, n_quadratic, n_quadratic>;

/// Returns the names of DoFs of all processes in ascending order of given values: "DoF 3 (x), DoF 4 (x) and 7
/// more". Collective. @param chosen Pairs of a value and a local DoF
template <class Engine>
std::string names_of(const AssembledSystem<Engine>& system, std::vector<std::pair<double, Index>> chosen) {
  const Communicator& communicator = system.dofs().communicator();
  const GlobalIndex n = communicator.count(static_cast<GlobalIndex>(chosen.size()));
  std::sort(chosen.begin(), chosen.end());
  if (chosen.size() > max_names) chosen.resize(max_names);
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
  const std::size_t n_shown = std::min<std::size_t>(all.size(), max_names);
  for (std::size_t i = 0; i < n_shown; ++i)
    text += (i == 0 ? "" : ", ") + all[i].second;
  const auto rest = n - static_cast<GlobalIndex>(n_shown);
  return text + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

/// Solves the 16 moment equations for the matrix Lambda of one body and one pair of components, by least
/// squares.
/// @param of_rest The second moments of the mass of the rest of the body @param moved The moments of the mass
///     that is moved
/// @return whether the equations have a solution
bool solve_moment_equations(const Quadratic& of_rest, const Linear& moved, Linear& Lambda) {
  Lambda.setZero();
  if (moved.isZero(0)) return true;
  constexpr Index n = n_linear * n_linear;
  Eigen::Matrix<double, n, n> equations;
  for (Index unknown = 0; unknown < n; ++unknown)
    for (Index equation = 0; equation < n; ++equation)
      equations(equation, unknown) = of_rest(index_of_product(equation % n_linear, unknown % n_linear),
                                             index_of_product(equation / n_linear, unknown / n_linear));
  const Eigen::Map<const Eigen::Matrix<double, n, 1>> right(moved.data());
  const Vector solution = LeastSquares(equations, rank_tolerance).solve(Vector(right));
  Lambda = Eigen::Map<const Linear>(solution.data());
  return (equations * solution - right).norm() <= solvability_tolerance * right.norm();
}

/// Vectors whose dyadic products left_k right_k^T have the sum Lambda. For a symmetric Lambda, left_k =
/// right_k or left_k = -right_k exactly.
struct LowRankFactors {
  MultiVector left, right;
};

LowRankFactors low_rank_factors(const MultiVector& Lambda, bool is_symmetric) {
  if (is_symmetric) {
    const SymmetricEigenpairs eigen = symmetric_eigenpairs((Lambda + Lambda.transpose()) / 2);
    const MultiVector right = eigen.vectors * eigen.values.cwiseAbs().cwiseSqrt().asDiagonal();
    return {right * eigen.values.cwiseSign().asDiagonal(), right};
  }
  const SingularValueDecomposition svd = singular_value_decomposition(Lambda);
  return {svd.U * svd.values.asDiagonal(), svd.V};
}

/// Redistributes the mass of contact DoFs, see with_massless_contact().
template <class Engine>
class MassRedistribution {
 public:
  using Matrix = typename Engine::Matrix;

  MassRedistribution(const AssembledSystem<Engine>& system, const std::vector<GlobalIndex>& contact)
      : system_(system),
        bodies_(system, contact),
        is_symmetric_(Engine::asymmetry(system.M()) <= symmetry_tolerance) {}

  Matrix mass() const;

 private:
  /// Computes the matrix Lambda of each body, whose rows and columns are pairs (component, field).
  std::vector<MultiVector> lambdas(const Matrix& M_rest, const Matrix& moved) const;
  Matrix add_redistributed_mass(Matrix M, const Matrix& M_rest, const std::vector<MultiVector>& Lambda) const;
  void check_definite(const Matrix& M, const std::vector<MultiVector>& Lambda) const;
  /// Whether the block of M with the rows and columns `dofs_with_mass` is positive semidefinite up to a
  /// tolerance.
  bool is_definite(const Matrix& M, const std::vector<Index>& dofs_with_mass) const;
  /// Returns 1 + a_i^T Lambda a_i, by which the diagonal entry i of the mass matrix is multiplied.
  double factor(const std::vector<MultiVector>& Lambda, Index i) const;
  /// Returns a_i as a row of the fields of all components.
  Vector field_row(Index i) const;
  std::string names_of_contact_dofs(Index body, Index component) const;
  [[noreturn]] void refuse(Index body, Index component, double mass_of_rest) const;

  const AssembledSystem<Engine>& system_;
  ContactBodies<Engine> bodies_;
  bool is_symmetric_;
};

template <class Engine>
typename Engine::Matrix MassRedistribution<Engine>::mass() const {
  const Matrix& M = system_.M();
  if (bodies_.n_bodies() == 0) return M;
  const Vector &s = bodies_.contact(), &r = bodies_.rest();
  const Matrix moved = Engine::sum(1., Engine::scaled(M, s, s + r), 1., Engine::scaled(M, r, s));
  const Matrix M_rest = Engine::scaled(M, r, r);
  const std::vector<MultiVector> Lambda = lambdas(M_rest, moved);
  const Matrix changed = add_redistributed_mass(Engine::sum(1., M, -1., moved), M_rest, Lambda);
  if (is_symmetric_) check_definite(changed, Lambda);
  return changed;
}

template <class Engine>
std::vector<MultiVector> MassRedistribution<Engine>::lambdas(const Matrix& M_rest,
                                                             const Matrix& moved) const {
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
        if (!solve_moment_equations(Q, of_moved.middleCols<n_linear>(n_linear * block), part))
          refuse(body, c, Q(0, 0));
        Lambda.block<n_linear, n_linear>(c * n_linear, d * n_linear) = part;
      }
    all.push_back(Lambda);
  }
  return all;
}

template <class Engine>
Vector MassRedistribution<Engine>::field_row(Index i) const {
  Vector row = Vector::Zero(bodies_.n_components() * n_linear);
  row.segment<n_linear>(bodies_.component(i) * n_linear) = bodies_.a().row(i);
  return row;
}

/// Returns M + sum_k diag(left_k) M_rest diag(right_k). Entry i of left_k is a_i^T l_k and entry i of
/// right_k is a_i^T r_k, where a_i is field_row(i), and l_k and r_k are the columns k of low_rank_factors()
/// of the matrix Lambda of the body of DoF i. Both entries are zero unless DoF i is in the rest of its body.
template <class Engine>
typename Engine::Matrix MassRedistribution<Engine>::add_redistributed_mass(
    Matrix M, const Matrix& M_rest, const std::vector<MultiVector>& Lambda) const {
  std::vector<LowRankFactors> terms;
  terms.reserve(Lambda.size());
  for (const MultiVector& of_body : Lambda)
    terms.push_back(low_rank_factors(of_body, is_symmetric_));
  const Index n_local = system_.dofs().n_local();
  for (Index k = 0; k < bodies_.n_components() * n_linear; ++k) {
    if (std::all_of(terms.begin(), terms.end(),
                    [&](const LowRankFactors& term) { return term.left.col(k).isZero(0); }))
      continue;
    Vector left = Vector::Zero(n_local), right = left;
    for (Index i = 0; i < n_local; ++i) {
      if (bodies_.rest()[i] == 0.) continue;
      const LowRankFactors& term = terms[static_cast<std::size_t>(bodies_.body(i))];
      const Vector row = field_row(i);
      left[i] = row.dot(term.left.col(k));
      right[i] = row.dot(term.right.col(k));
    }
    M = Engine::sum(1., M, 1., Engine::scaled(M_rest, left, right));
  }
  return M;
}

template <class Engine>
double MassRedistribution<Engine>::factor(const std::vector<MultiVector>& Lambda, Index i) const {
  const Vector row = field_row(i);
  return 1 + row.dot(Lambda[static_cast<std::size_t>(bodies_.body(i))] * row);
}

template <class Engine>
bool MassRedistribution<Engine>::is_definite(const Matrix& M,
                                             const std::vector<Index>& dofs_with_mass) const {
  const Selection rest(dofs_with_mass, system_.dofs());
  const Vector norms = Engine::column_norms(M)(dofs_with_mass);
  const Matrix margin = Engine::diagonal(definiteness_tolerance * norms, rest.partition());
  FactorizationOptions options;
  // Rounding errors of M are relative to the mass before the redistribution, which may be larger than the
  // mass after it.
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
void MassRedistribution<Engine>::check_definite(const Matrix& M,
                                                const std::vector<MultiVector>& Lambda) const {
  const Vector norms = Engine::column_norms(M);
  std::vector<Index> dofs_with_mass;
  for (Index i = 0; i < norms.size(); ++i)
    if (bodies_.rest()[i] > 0 && norms[i] > 0) dofs_with_mass.push_back(i);
  if (is_definite(M, dofs_with_mass)) return;
  if (!is_definite(system_.M(), dofs_with_mass))
    throw InvalidInput("The mass of the contact DoFs (" + names_of_contact_dofs(-1, -1) +
                       ") cannot be redistributed: the given mass matrix is not positive semidefinite on the "
                       "other DoFs. Check the model for a negative density, an "
                       "inverted element or a wrong sign.");
  std::vector<std::pair<double, Index>> lowest;
  lowest.reserve(dofs_with_mass.size());
  for (const Index i : dofs_with_mass)
    lowest.emplace_back(factor(Lambda, i), i);
  throw InvalidInput(
      "The mass of the contact DoFs (" + names_of_contact_dofs(-1, -1) +
      ") cannot be redistributed: no positive semidefinite mass matrix of the other DoFs was found with the "
      "same total mass, centre of mass and moments of inertia. The masses that would decrease most are at " +
      names_of(system_, lowest) +
      ". Refine the mesh, so that less mass belongs to the contact DoFs, make fewer DoFs massless, or omit "
      "the support points in the labels, so that only the total mass is preserved.");
}

/// Returns the names of the contact DoFs of a body in a component, for messages.
/// @param body,component The value -1 selects all bodies or all components
template <class Engine>
std::string MassRedistribution<Engine>::names_of_contact_dofs(Index body, Index component) const {
  std::vector<std::pair<double, Index>> chosen;
  for (Index i = 0; i < bodies_.contact().size(); ++i)
    if (bodies_.contact()[i] > 0 && (body < 0 || bodies_.body(i) == body) &&
        (component < 0 || bodies_.component(i) == component))
      chosen.emplace_back(static_cast<double>(system_.dofs().global_index(i)), i);
  return names_of(system_, chosen);
}

template <class Engine>
void MassRedistribution<Engine>::refuse(Index body, Index component, double mass_of_rest) const {
  const std::string begin = "The mass of the contact DoFs (" + names_of_contact_dofs(body, component) +
                            ") cannot be redistributed: ";
  if (mass_of_rest == 0.)
    throw InvalidInput(
        begin +
        "these DoFs have all the mass of their body in this component, so that no other DoF can "
        "receive it. Make fewer DoFs of the body massless, or refine the mesh of the body.");
  throw InvalidInput(
      begin +
      "the other DoFs of the body cannot reproduce its total mass, centre of mass and moments of inertia, "
      "because there are too few of them, or because all of them lie on one line or plane. Refine the mesh, "
      "make fewer DoFs massless, or omit the support points in the labels, so that "
      "only the total mass is preserved.");
}

void check_dofs(const std::vector<GlobalIndex>& contact, GlobalIndex n_dofs,
                const Communicator& communicator) {
  std::string bytes;
  for (const GlobalIndex dof : contact)
    bytes += std::to_string(dof) + ' ';
  if (!is_same_everywhere(communicator, bytes))
    throw InvalidInput(
        "The lists of contact DoFs differ between processes. Give the whole list on every process, also on "
        "processes that own no contact DoF.");
  for (const GlobalIndex dof : contact)
    if (dof < 0 || dof >= n_dofs)
      throw InvalidInput("The contact DoF " + std::to_string(dof) +
                         " does not exist: assembled degrees of freedom run from 0 to " +
                         std::to_string(n_dofs - 1) + ". Correct the index; indices are 0-based.");
}

}  // namespace

template <class Engine>
SystemDescription<Engine> with_massless_contact(const SystemDescription<Engine>& description,
                                                const std::vector<GlobalIndex>& contact) {
  const AssembledSystem<Engine> system(description);
  check_dofs(contact, system.n_dofs(), system.dofs().communicator());
  SystemDescription<Engine> result = description;
  result.mass = MassRedistribution<Engine>(system, contact).mass();
  return result;
}

template SystemDescription<InstantiatedEngine> with_massless_contact(
    const SystemDescription<InstantiatedEngine>&, const std::vector<GlobalIndex>&);

}  // namespace halfdof
