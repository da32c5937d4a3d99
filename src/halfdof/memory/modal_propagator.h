#pragma once

#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/contact_step.h>

#include <functional>
#include <vector>

namespace halfdof {

/// Five equidistant instants of a step, at which loads are asked for: 0, h/4, ..., h.
struct LoadNodes {
  static constexpr Index n = 5;
  /// As a part of the step.
  static double at(Index node) { return node / (n - 1.); }
  /// One column for each node.
  static MultiVector values_of(const std::function<Vector(double time)>& f, double begin, double end);
  /// Rates of the polynomials through values, at a part of the step. Shape: n_loads x 5
  static Vector rates(const MultiVector& f, double step, double part);
};

/**
 * ContactModes over one length of step h, exactly for reactions that change linearly from u_a to u_b,
 * @f[ x_1 = e^{J h} x_0 + \left(F_1 - \tfrac1h F_2\right) B\,u_a + \tfrac1h F_2 B\,u_b, \qquad (1) @f]
 * with F_1 and F_2 of BlockExponential, and for loads that are polynomials of degree four, by their values
 * at LoadNodes. A step costs a product with each of the small blocks, two columns for each reaction and five
 * for each load: nothing grows with the steps that were taken, nor with the DoFs that the modes came from.
 */
class ModalPropagator {
 public:
  ModalPropagator(const ContactModes& modes, double step);

  double step() const { return step_; }
  const StepResponse& response() const { return response_; }

  /// e^{J h} x.
  void propagate(Vector& x) const;
  /// Adds what reactions do that change from u_a to u_b. Shapes: m, m, n
  void add_reactions(const Vector& u_a, const Vector& u_b, Vector& x) const;
  /// The same of loads. @param f one column for each of LoadNodes. Shapes: n_loads x 5, n
  void add_loads(const MultiVector& f, Vector& x) const;
  /// C x and C J x. Shapes: n, m each
  FreeContacts read(const Vector& x) const;

 private:
  struct Block {
    Index first;
    MultiVector E;
  };

  double step_;
  std::vector<double> pairs_;  ///< the four entries of e^{J h}, row by row, of blocks with two rows
  std::vector<Index> first_of_pair_;
  std::vector<Block> others_;
  MultiVector reactions_;  ///< columns for u_a, then for u_b
  MultiVector loads_;      ///< columns for the first node of all loads, for the second, ...
  MultiVector reading_;    ///< (C; C J)^T
  StepResponse response_;
};

}  // namespace halfdof
