#pragma once

#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/grouped_columns.h>

#include <optional>
#include <vector>

namespace halfdof {

/**
 * What impulses r change at once, @f$ (a;\ c;\ k) = D^{-1} H_f r @f$, as an implicit step meets it again:
 * rates c of viscous DoFs, and the momentum
 * @f[ M J_I a = H_f r - C J_C c - K J_K k , @f]
 * which is @f$ H_f r @f$ itself, and sparse, where impulses meet inertial DoFs alone and D is block
 * triangular. The columns of both are kept where they take no more memory than
 * DelassusOptions::max_column_bytes, otherwise each use is a solve with D. Functions are collective.
 */
template <class Engine>
class ImpulseInput {
 public:
  /// @param takes_part Which directions there will be impulses along
  ImpulseInput(const Inclusions<Engine>& inclusions, const std::vector<bool>& takes_part,
               const DelassusOptions& options);

  /// rhs += factor M J_I a. Shapes: r m, rhs local free DoFs.
  void add_momentum(double factor, const Vector& r, Vector& rhs) const;
  /// rates += factor c. Shapes: r m, rates local viscous DoFs.
  void add_viscous_rates(double factor, const Vector& r, Eigen::Ref<Vector> rates) const;

 private:
  MultiVector viscous_rates(const MultiVector& x) const;
  MultiVector momentum(const MultiVector& force, const MultiVector& x) const;

  Inclusions<Engine> inclusions_;
  struct Columns {
    GroupedColumns momentum, viscous;
  };
  std::optional<Columns> columns_;
};

}  // namespace halfdof
