// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <string>
#include <vector>

/// The nodes with mass: all nodes (dynamical), only the last one (semi-dynamical), or none (quasistatic).
enum class Inertia { dynamical, semi_dynamical, quasistatic };

/// The boundary condition at the right end of the chain.
enum class End {
  clamped,            ///< x = 0, and F_{n+1} is a reaction
  force_known,        ///< F_{n+1}(t) is given, positive to the left, and x is unknown
  displacement_known  ///< x(t) is given, and F_{n+1} is a reaction
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
 * In the dynamical case all m_i are positive, in the semi-dynamical case only m_n, and in the quasistatic
 * case none. Units: any consistent units.
 */
struct Chain {
  Inertia inertia = Inertia::dynamical;
  End end = End::clamped;
  halfdof::Vector k;                        ///< k_0 ... k_n
  halfdof::Vector alpha, mass;              ///< n entries; masses that are zero in this case are ignored
  halfdof::Vector amplitude, frequency;     ///< F_i = amplitude_i sin(frequency_i t)
  double end_amplitude, end_frequency = 1;  ///< amplitude and frequency of F_{n+1} or of x

  halfdof::Index n() const { return static_cast<halfdof::Index>(alpha.size()); }
  /// Returns the masses m_1 ... m_n of this case.
  halfdof::Vector masses() const;
  /// Returns the forces F_1 ... F_n.
  halfdof::Vector force(double t) const;
  halfdof::Vector force_rate(double t) const;
  /// Returns F_{n+1} or x, whichever is known, or zero if the end is clamped.
  double end_value(double t) const;
  double end_rate(double t) const;
};

/// The model of a chain with the data that any application gives to the library: M, C and K of the nodes 0
/// ... n + 1, loads, constrained nodes, and the directions of the St-Venant elements. The library finds the
/// states and the reduced laws.
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
  std::string equation;  ///< number of the equation in the paper

  /// Returns p of Table 1, the dimension of the state of n nodes.
  halfdof::Index p(halfdof::Index n) const;
};
std::vector<ChainCase> seven_cases();

/// Returns a chain of n nodes. The first five nodes have the data of the reference solution, and further
/// nodes have other data of the same range.
Chain chain_of(halfdof::Index n, Inertia inertia, End end);
