// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/elimination.h>
#include <halfdof/reduction/kept_matrices.h>

namespace halfdof::internal {

/// The system before its reduction, with which the reduced system is compared. The object refers to the
/// Elimination of a ReducedSystem, and is valid as long as the ReducedSystem or a copy of it exists.
template <class Engine>
class UnreducedSystem {
 public:
  /// @param elimination,reduced_pencil The result of the reduction and the pencil of elimination.free, which
  /// outlive this object
  UnreducedSystem(const Elimination<Engine>& elimination, const KeptPencil<Engine>& reduced_pencil,
                  const FactorizationOptions& options)
      : elimination_(elimination), reduced_pencil_(reduced_pencil), unreduced_pencil_(system(), options) {}

  /// Returns the system before the elimination. With constraints it includes all multipliers
  /// (ConstraintCoordinates::with_multipliers); with the Weierstrass form it is the system in the given DoFs;
  /// with every other method it is undropped().
  const FreeSystem<Engine>& system() const {
    return elimination_.in_given_coordinates ? *elimination_.in_given_coordinates : elimination_.undropped;
  }
  /// The system in the coordinates of the reduction, before dropped columns were set to zero. The
  /// result equals ReducedSystem::free() unless has_dropped().
  const FreeSystem<Engine>& undropped() const { return elimination_.undropped; }
  /// Returns whether columns that are not exactly zero were dropped, that is, set to zero, because they are
  /// null by a tolerance or, in kernel coordinates, zero up to rounding.
  bool has_dropped() const { return elimination_.has_dropped; }

  /// The number of finite eigenvalues of system(): deg det P. Collective.
  GlobalIndex n_finite() const {
    return elimination_.method == ReductionMethod::null_columns ? classify_dofs(undropped()).n_states()
                                                                : elimination_.classification.n_states();
  }
  /// Returns whether the number of DoFs of each kind gives n_finite() without doubt: null columns were
  /// eliminated, no column was dropped by a tolerance, and D is well conditioned.
  bool is_surely_counted() const {
    return elimination_.method == ReductionMethod::null_columns &&
           elimination_.classification.n_dropped_columns() == 0 && !elimination_.D.is_badly_conditioned();
  }

  /// Factorizes a M + b C + c K of system(); one symbolic analysis serves all calls.
  FactorizationPtr<double> factorize_pencil(double a, double b, double c) const {
    return pencil().factorize(a, b, c);
  }
  FactorizationPtr<Complex> factorize_pencil(Complex a, Complex b, Complex c) const {
    return pencil().factorize(a, b, c);
  }

 private:
  const KeptPencil<Engine>& pencil() const {
    return elimination_.has_dropped || elimination_.in_given_coordinates ? unreduced_pencil_
                                                                         : reduced_pencil_;
  }

  const Elimination<Engine>& elimination_;
  const KeptPencil<Engine>& reduced_pencil_;
  KeptPencil<Engine> unreduced_pencil_;
};

}  // namespace halfdof::internal
