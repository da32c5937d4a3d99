// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <string>
#include <vector>

/// Which nodes have mass.
enum class Inertia { dynamical, semi_dynamical, quasistatic };

/// What happens to the right end of the chain.
enum class End {
  clamped,            ///< x = 0; F_{n+1} is a reaction
  force_known,        ///< F_{n+1}(t) is given, positive to the left; x follows
  displacement_known  ///< x(t) is given; F_{n+1} is a reaction
};

/**
 * A chain that slides on a fixed support (Bastien and Lamarque 2009, figures 2 and 3):
 *
 * @code{.unparsed}
 *         k_0       k_1            k_n
 *   |---/\/\/--m_1--/\/\/--m_2 ... m_n--/\/\/-- x      nodes 0, 1 ... n, n + 1
 *              ~~~~        ~~~~    ~~~~
 *            alpha_1     alpha_2  alpha_n              St-Venant elements
 * @endcode
 *
 * @f[ m_i \ddot v_i = F_i + f_{i-1} - f_i + g_i, \qquad f_i = -k_i (v_{i+1} - v_i), \qquad
 *     g_i \in -\alpha_i \sigma(\dot v_i), \qquad v_0 = 0, \quad v_{n+1} = x. \qquad (2.3) @f]
 * Dynamical: all m_i > 0. Semi-dynamical: m_n alone. Quasistatic: none. Any units that fit together.
 */
struct Chain {
  Inertia inertia = Inertia::dynamical;
  End end = End::clamped;
  halfdof::Vector k;                        ///< k_0 ... k_n
  halfdof::Vector alpha, mass;              ///< n entries; of masses only those that the case wants count
  halfdof::Vector amplitude, frequency;     ///< F_i = amplitude_i sin(frequency_i t)
  double end_amplitude, end_frequency = 1;  ///< of F_{n+1}, or of x

  halfdof::Index n() const { return static_cast<halfdof::Index>(alpha.size()); }
  /// m_1 ... m_n of this case.
  halfdof::Vector masses() const;
  /// F_1 ... F_n
  halfdof::Vector force(double t) const;
  halfdof::Vector force_rate(double t) const;
  /// F_{n+1}, or x, whichever is known; zero if clamped.
  double end_value(double t) const;
  double end_rate(double t) const;
};

/// A chain as an application would hand it over: M, C, K of nodes 0 ... n + 1, loads, held or moved nodes,
/// and the directions of its St-Venant elements. Everything else the library finds out.
struct ChainModel {
  explicit ChainModel(const Chain& chain);

  halfdof::NonsmoothState at_rest() const;

  Chain chain;
  halfdof::Inclusions<halfdof::EigenEngine> inclusions;
  halfdof::InclusionOutcome outcome;
};

/// One of the seven models of Table 1.
struct ChainCase {
  std::string name;
  Inertia inertia;
  End end;
  std::string equation;  ///< its number in the paper

  /// p of Table 1, the dimension of the state.
  halfdof::Index p(halfdof::Index n) const;
};
std::vector<ChainCase> seven_cases();

/// n nodes: the first five with the data of the reference, further ones with others of the same range.
Chain chain_of(halfdof::Index n, Inertia inertia, End end);
