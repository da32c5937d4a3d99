#pragma once

#include <halfdof/inclusions/delassus.h>

#include <optional>

namespace halfdof {

/**
 * B H_f, by which reactions enter @f$ \dot y = A y + B (F(t) + H_f r) @f$: its columns are kept where they
 * take no more memory than DelassusOptions::max_column_bytes, otherwise each product is a solve with D.
 * Functions are collective.
 */
template <class Engine>
class ReactionInput {
 public:
  ReactionInput(const Inclusions<Engine>& inclusions, const DelassusOptions& options);

  /// B H_f r. Shapes: r m, result n_local_states().
  Vector apply(const Vector& r) const;

 private:
  Inclusions<Engine> inclusions_;
  std::optional<MultiVector> columns_;  ///< the rows q_C' and v_I': reactions do not enter q_I' = v_I
};

}  // namespace halfdof
