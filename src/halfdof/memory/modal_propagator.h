// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/contact_step.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/// Five equidistant instants of a step at which loads are evaluated: 0, h/4, ..., h.
struct LoadNodes {
  static constexpr Index n = 5;
  /// Returns the position of a node as a fraction of the step.
  static double at(Index node) { return node / (n - 1.); }
  /// Returns the values of f at the nodes, one column for each node.
  static MultiVector values_of(const std::function<Vector(double time)>& f, double begin, double end);
  /// Returns the time derivatives of the loads at the time `part` * step after the beginning of the step,
  /// computed from the polynomials through the values at the nodes. @param f values at the nodes. Shape:
  /// n_loads x 5 @param part 0 to 1
  static Vector rates(const MultiVector& f, double step, double part);
};

/**
 * Propagates the modal coordinates x of ContactModes over steps of one length h. The propagation is exact for
 * reactions that change linearly from u_a to u_b,
 * @f[ x_1 = e^{J h} x_0 + \left(F_1 - \tfrac1h F_2\right) B\,u_a + \tfrac1h F_2 B\,u_b, \qquad (1) @f]
 * with F_1 and F_2 of BlockExponential, and for loads that are polynomials of degree four, given by their
 * values at LoadNodes. A step takes a product with each of the small blocks and with two columns for each
 * reaction and five columns for each load. The cost depends neither on the number of steps before nor on the
 * number of DoFs of the model.
 */
class ModalPropagator {
 public:
  ModalPropagator(const ContactModes& modes, double step);

  double step() const { return step_; }
  const StepResponse& response() const { return response_; }

  /// Replaces x by e^{J h} x.
  void propagate(Vector& x) const;
  /// Adds to x the response to reactions that change linearly from u_a to u_b. Shapes: m, m, n
  void add_reactions(const Vector& u_a, const Vector& u_b, Vector& x) const;
  /// Adds to x the response to loads. @param f values of the loads, one column for each of LoadNodes. Shapes:
  /// n_loads x 5, n
  void add_loads(const MultiVector& f, Vector& x) const;
  /// Returns the displacements C x and the rates C J x of the contacts. Shapes: n, m each
  FreeContacts displacements_and_rates(const Vector& x) const;

 private:
  struct Block {
    Index first;
    MultiVector E;
  };

  double step_;
  std::vector<double>
      exponentials_of_pairs_;  ///< the four entries of e^{J h}, row by row, of each block with two rows
  std::vector<Index> first_of_pair_;
  std::vector<Block> other_blocks_;
  MultiVector reactions_;  ///< columns: factors of u_a, followed by factors of u_b
  MultiVector loads_;      ///< columns: factors of all loads at the first node, at the second node, ...
  MultiVector outputs_transposed_;  ///< (C; C J)^T, for displacements_and_rates()
  StepResponse response_;
};

}  // namespace halfdof::internal
