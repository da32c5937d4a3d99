#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * A linear structure as its contacts see it: coordinates x that do not act on each other, in blocks of one
 * real eigenvalue, a pair, or a cluster,
 * @f[ \dot x = J x + B r + B_f f(t), \qquad J = \mathrm{diag}(J_1, \dots, J_b), \qquad (1) @f]
 * @f[ s = C x + W_K r + W_f f, \qquad w = \dot s = C J x + W_C r + C B_f f + W_K \dot r + W_f \dot f,
 *     \qquad W_C = C B. \qquad (2) @f]
 * s are the displacements H^T q along the m directions of the contacts, r their reactions, f scalar loads
 * elsewhere. The sums of exponentials in it are the memory of the structure: the displacement that an impulse
 * leaves at the contacts is @f$ W_K \delta(\tau) + G(\tau), G(\tau) = C e^{J\tau} B @f$.
 *
 * W_C is what contacts on viscous DoFs add to their rates at once, W_K what those on algebraic DoFs, and
 * modes that were left out, add to their displacements.
 *
 * Shapes: B n x m, B_f n x n_loads, C m x n, W_K m x m, W_f m x n_loads; rows beyond m, `observed`, are
 * displacements that no reaction acts along.
 */
struct ContactModes {
  std::vector<MultiVector> J;  ///< [1/s]
  MultiVector B, B_f;
  MultiVector C, W_K, W_f;
  /// Displacements elsewhere: rows of the same shapes as C, W_K and W_f.
  struct Observed {
    MultiVector C, W_K, W_f;
  } observed;

  Index n_contacts() const { return static_cast<Index>(C.rows()); }
  Index n_loads() const { return static_cast<Index>(B_f.cols()); }
  /// Entries of x.
  Index n_coordinates() const { return static_cast<Index>(B.rows()); }
  Index n_blocks() const { return static_cast<Index>(J.size()); }
  /// The first coordinate of each block, and behind the last one n_coordinates().
  std::vector<Index> first_coordinates() const;

  /// W_C = C B, without what rounding leaves of zeros.
  MultiVector W_C() const;
  /// R J of a matrix with n columns: the rates of what R reads.
  MultiVector rates_of(ConstView<double> R) const;
  /// e^{J tau} x. @param time tau >= 0 [s]
  MultiVector propagated(double time, ConstView<double> x) const;
  /// All eigenvalues, block by block [1/s].
  std::vector<Complex> eigenvalues() const;
};

/// @throws InvalidInput if shapes do not fit, there is no contact, or an entry is not finite
void check_contact_modes(const ContactModes& modes);

/**
 * Several structures that meet: relative directions between them. Each structure k has its own modes, and its
 * displacements enter the m directions with weights, @f$ s = \sum_k T_k s_k @f$; reactions act back through
 * @f$ T_k^T @f$. Loads follow one another.
 */
struct WeightedModes {
  ContactModes modes;
  MultiVector weights;  ///< T_k, m x m_k
};

/// @throws InvalidInput if the weights have other shapes, or there is no structure. Observed rows follow one
/// another.
ContactModes joined(const std::vector<WeightedModes>& structures);

}  // namespace halfdof
