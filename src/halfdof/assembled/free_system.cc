// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>

#include <cmath>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

template <class Engine>
bool is_symmetric_matrix(const typename Engine::Matrix& A) {
  return Engine::asymmetry(A) <= FactorizationOptions().symmetry_tolerance;
}

template <class Engine>
bool are_equal(const typename Engine::Matrix& A, const typename Engine::Matrix& B) {
  const Vector differences = Engine::column_norms(Engine::sum(1., A, -1., B));
  return !A.rows().communicator().any(!differences.isZero(0.));
}

template <class Matrix>
bool has_entries(const Matrix& A) {
  return A.rows().communicator().count(A.n_local_entries()) > 0;
}

}  // namespace

template <class Engine>
FreeSystem<Engine>::FreeSystem(AssembledSystem<Engine> assembled)
    : assembled_(std::move(assembled)),
      M_(assembled_.M(), assembled_.free()),
      C_(assembled_.C(), assembled_.free()),
      K_(assembled_.K(), assembled_.free()) {
  const StageTimer stage("take out constrained DoFs");
  if (assembled_.state_force())
    throw NotAvailable(
        "This computation needs a linear system, but the system has a state force in addition to M, C and K. "
        "Use the system linearized about a state, ReducedSystem::about(state).assembled().");
  const Selection& f = assembled_.free();
  const Selection& d = assembled_.constrained();
  M_constrained_ = Engine::submatrix(assembled_.M(), f, d);
  C_constrained_ = Engine::submatrix(assembled_.C(), f, d);
  K_constrained_ = Engine::submatrix(assembled_.K(), f, d);
  needs_value_ = has_entries(K_constrained_);
  needs_rate_ = has_entries(C_constrained_);
  needs_acceleration_ = has_entries(M_constrained_);

  const PrescribedMotion& motion = assembled_.prescribed();
  const auto require = [&](bool needed, const TimeFunction& given, const char* name, const char* matrix) {
    if (motion.moves() && needed && !given)
      throw InvalidInput(
          std::string("The constrained degrees of freedom move, and the ") + matrix +
          " matrix couples them to free ones, but " + name +
          " was not given. Give this function of the prescribed motion, too, as an analytic derivative: the "
          "library does not differentiate given functions.");
  };
  require(needs_value_, motion.value, "the displacement q_D(t)", "stiffness");
  require(needs_rate_, motion.rate, "the rate q_D'(t)", "damping");
  require(needs_acceleration_, motion.acceleration, "the acceleration q_D''(t)", "mass");
}

template <class Engine>
FreeSystem<Engine> FreeSystem<Engine>::in_coordinates(const Matrix& S, const Matrix& X,
                                                      const Matrix& Z) const {
  const auto one = [](const Partition& of) { return Engine::diagonal(Vector::Ones(of.n_local()), of); };
  const bool is_congruence = are_equal<Engine>(S, Z);
  const auto changed = [&](const Matrix& A) {
    const Matrix result = matrix_from<Engine>(
        product_with_exact_zeros(entries_of<Engine>(Z), entries_of<Engine>(A), entries_of<Engine>(S)),
        Z.columns(), S.columns());
    if (!is_congruence || !is_symmetric_matrix<Engine>(A)) return result;
    // The symmetric part is taken, so that the transform of a symmetric matrix is exactly symmetric.
    const Matrix identity = one(result.rows());
    return Engine::sum(0.5, result, 0.5, Engine::triple_product(result, identity, identity));
  };
  FreeSystem system = *this;
  for (FreeMatrix<Engine> FreeSystem::*A : {&FreeSystem::M_, &FreeSystem::C_, &FreeSystem::K_})
    system.*A = FreeMatrix<Engine>(changed((this->*A)()));
  for (Matrix FreeSystem::*A :
       {&FreeSystem::M_constrained_, &FreeSystem::C_constrained_, &FreeSystem::K_constrained_})
    system.*A = Engine::triple_product(Z, this->*A, one((this->*A).columns()));
  const auto turned = [&](const std::optional<Matrix>& before, const Matrix& turn) {
    return before ? Engine::triple_product(one(before->rows()), *before, turn) : turn;
  };
  system.S_ = turned(S_, S);
  system.X_ = turned(X_, X);
  system.Z_ = turned(Z_, Z);
  if (constraints_) {
    auto form = std::make_shared<ConstrainedForm<Engine>>(*constraints_);
    form->load = Eigen::SparseMatrix<double>(entries_of<Engine>(Z).transpose()) * form->load;
    form->rate_rows = form->rate_rows * entries_of<Engine>(S);
    system.constraints_ = std::move(form);
  }
  return system;
}

template <class Engine>
FreeSystem<Engine> FreeSystem<Engine>::in_coordinates(
    std::shared_ptr<const ConstrainedForm<Engine>> form) const {
  for (const TimeCombination* needed : {&form->load, &form->offset})
    if (const std::string missing = form->given.missing(*needed); !missing.empty())
      throw InvalidInput(
          "Constraints that depend on time need " + missing +
          ", which was not given. Give this function, too, as an analytic derivative: the library does not "
          "differentiate given functions.");
  FreeSystem system = *this;
  system.M_ = FreeMatrix<Engine>(form->M);
  system.C_ = FreeMatrix<Engine>(form->C);
  system.K_ = FreeMatrix<Engine>(form->K);
  const Partition& constrained = M_constrained_.columns();
  const Matrix one = Engine::diagonal(Vector::Ones(constrained.n_local()), constrained);
  for (Matrix FreeSystem::*A :
       {&FreeSystem::M_constrained_, &FreeSystem::C_constrained_, &FreeSystem::K_constrained_})
    system.*A = Engine::triple_product(form->Z, this->*A, one);
  system.S_ = form->S;
  system.X_ = form->X;
  system.Z_ = form->Z;
  system.constraints_ = std::move(form);
  return system;
}

template <class Engine>
Vector FreeSystem<Engine>::participation(const Selection& coordinates) const {
  Vector selected = Vector::Zero(dofs().n_local());
  selected(coordinates.local()).setOnes();
  if (!S_) return selected;
  const Eigen::SparseMatrix<double> S = entries_of<Engine>(*S_), X = entries_of<Engine>(*X_);
  return Eigen::SparseMatrix<double>(S.cwiseProduct(X).cwiseAbs()) * selected;
}

template <class Engine>
bool FreeSystem<Engine>::has_offset(int derivative) const {
  if (!constraints_) return true;
  TimeCombination o = constraints_->offset;
  for (int k = 0; k < derivative; ++k)
    o = o.derivative();
  return constraints_->given.missing(o).empty();
}

template <class Engine>
Vector FreeSystem<Engine>::offset(double time, int derivative) const {
  if (!constraints_ || constraints_->offset.terms.empty()) return Vector::Zero(assembled_.free().n_local());
  TimeCombination o = constraints_->offset;
  for (int k = 0; k < derivative; ++k)
    o = o.derivative();
  return constraints_->given(o, time);
}

/// Checks that redundant constraints do not contradict one another, and that no load acts on the equation of
/// a constraint.
/// @param load The load on all local assembled DoFs, including b
template <class Engine>
void FreeSystem<Engine>::check_constraints(const Vector& load, double time) const {
  constexpr double rounding = 1e-10;
  const ConstrainedForm<Engine>& form = *constraints_;
  const Vector contradiction = form.given(form.redundant, time),
               size = form.given.sum_of_moduli(form.redundant, time);
  for (Index i = 0; i < contradiction.size(); ++i)
    if (std::abs(contradiction[i]) > rounding * size[i])
      throw InvalidInput(
          "Constraints contradict one another at t = " + number_text(time) + ": " +
          form.redundant_names[static_cast<std::size_t>(i)] +
          ", but its right side differs from the value that the other constraints imply by " +
          number_text(contradiction[i]) +
          " (in units of its largest coefficient). Correct b(t), or remove one of these constraints.");
  Vector f = load;
  if (assembled_.right_sides().value)
    assembled_.multipliers().add_to(-assembled_.right_sides().value(time), f);
  f = assembled_.free().selected_rows(f).eval();
  for (Index j = 0; j < form.L.cols(); ++j) {
    const Vector terms = Vector(form.L.col(j)).cwiseProduct(f);
    Index dof = 0;
    if (terms.size() == 0 || terms.cwiseAbs().maxCoeff(&dof) == 0 ||
        std::abs(terms.sum()) <= rounding * terms.cwiseAbs().sum())
      continue;
    throw NotAvailable("At t = " + number_text(time) + " the load is " + number_text(f[dof]) + " on " +
                       assembled_.describe(assembled_.free().local()[static_cast<std::size_t>(dof)]) +
                       ", whose equation is a constraint, so that the load would have to be differentiated. "
                       "List this DoF among the multipliers, and give the load as the right side b(t) of the "
                       "constraint, with its derivatives.");
  }
}

template <class Engine>
FreeSystem<Engine> FreeSystem<Engine>::keep_columns(const std::vector<bool>& keep_mass,
                                                    const std::vector<bool>& keep_damping) const {
  const Matrix zero = Engine::diagonal(Vector::Zero(dofs().n_local()), dofs());
  const auto kept = [&](const Matrix& A, const std::vector<bool>& keep) {
    if (is_symmetric_matrix<Engine>(A)) {
      Vector ones(dofs().n_local());
      for (Index i = 0; i < ones.size(); ++i)
        ones[i] = keep[static_cast<std::size_t>(i)] ? 1 : 0;
      const Matrix J = Engine::diagonal(ones, dofs());
      return Engine::triple_product(J, A, J);
    }
    std::vector<ColumnSource> source(keep.size());
    for (std::size_t j = 0; j < keep.size(); ++j)
      source[j] = keep[j] ? ColumnSource::mass : ColumnSource::stiffness;
    return Engine::select_columns(A, zero, zero, source);
  };
  FreeSystem system = *this;
  system.M_ = FreeMatrix<Engine>(kept(M(), keep_mass));
  system.C_ = FreeMatrix<Engine>(kept(C(), keep_damping));
  return system;
}

template <class Engine>
FreeSystem<Engine> FreeSystem<Engine>::with_added_stiffness(const Matrix& A) const {
  FreeSystem system = *this;
  system.K_ = FreeMatrix<Engine>(Engine::sum(1., K(), 1., A));
  return system;
}

template <class Engine>
FreeSystem<Engine> FreeSystem<Engine>::with_load(const TimeFunction& load,
                                                 const TimeFunction& load_rate) const {
  FreeSystem system = *this;
  system.assembled_ = assembled_.with_load(load, load_rate);
  return system;
}

template <class Engine>
Vector FreeSystem<Engine>::load(double time) const {
  return load(assembled_.load(time), time);
}

template <class Engine>
Vector FreeSystem<Engine>::load(Vector F, double time) const {
  if (constraints_) check_constraints(F, time);
  if (Z_ || assembled_.free().n_local() < F.size()) F = restrict_forces(F).eval();
  const PrescribedMotion& motion = assembled_.prescribed();
  const auto subtract = [&](const Matrix& A, bool needed, const TimeFunction& function) {
    if (needed && function) A.add_product(-1., function(time), F);
  };
  subtract(K_constrained_, needs_value_, motion.value);
  subtract(C_constrained_, needs_rate_, motion.rate);
  subtract(M_constrained_, needs_acceleration_, motion.acceleration);
  if (constraints_ && !constraints_->load.terms.empty()) F -= constraints_->given(constraints_->load, time);
  return F;
}

template <class Engine>
Vector FreeSystem<Engine>::load_rate(double time) const {
  const PrescribedMotion& motion = assembled_.prescribed();
  Vector rate = restrict_forces(assembled_.load_rate(time));
  const auto subtract = [&](const Matrix& A, bool needed, const TimeFunction& lower,
                            const TimeFunction& function, const char* name) {
    if (!needed || !lower) return;
    if (!function)
      throw NotAvailable(std::string("The rate of the load on the free degrees of freedom needs ") + name +
                         " of the prescribed motion, which was not given. Give this derivative, or do not "
                         "request the rates of algebraic DoFs.");
    A.add_product(-1., function(time), rate);
  };
  subtract(K_constrained_, needs_value_, motion.value, motion.rate, "q_D'");
  subtract(C_constrained_, needs_rate_, motion.rate, motion.acceleration, "q_D''");
  subtract(M_constrained_, needs_acceleration_, motion.acceleration, motion.jerk, "q_D'''");
  if (constraints_ && !constraints_->load.terms.empty())
    rate -= constraints_->given(constraints_->load.derivative(), time);
  return rate;
}

template <class Engine>
bool FreeSystem<Engine>::is_symmetric() const {
  if (S_ && !are_equal<Engine>(*S_, *Z_)) return false;
  return is_symmetric_matrix<Engine>(M()) && is_symmetric_matrix<Engine>(C()) &&
         is_symmetric_matrix<Engine>(K());
}

template <class Engine>
std::vector<std::string> FreeSystem<Engine>::needed_prescribed() const {
  std::vector<std::string> needed;
  if (needs_value_) needed.emplace_back("q_D");
  if (needs_rate_) needed.emplace_back("q_D'");
  if (needs_acceleration_) needed.emplace_back("q_D''");
  return needed;
}

template <class Engine>
std::string FreeSystem<Engine>::describe(Index local_free) const {
  return assembled_.describe(places().local()[static_cast<std::size_t>(local_free)]);
}

template <class Engine>
GlobalIndex FreeSystem<Engine>::assembled_index(Index local_free) const {
  return assembled_.dofs().global_index(places().local()[static_cast<std::size_t>(local_free)]);
}

template class FreeSystem<InstantiatedEngine>;

}  // namespace halfdof::internal
