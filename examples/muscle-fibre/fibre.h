// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <string>
#include <vector>

/**
 * A muscle fibre that pulls a slide (Dumont, Goeleven, Rochdi 2001, example 5.4). The fibre is a chain of
 * sarcomeres between the tendons T_0 and T_N, which are connected by Z-disks T_i. In each sarcomere, a spring
 * K is parallel to a contractile element C in series with a cross-bridge B. Tendons, disks and cross-bridges
 * are springs parallel to dampers. Only the slide has mass, and dry friction acts on the slide:
 *
 * @code{.unparsed}
 *             .------ K -------.                .------ K -------.
 *   |-- T_0 --o q_0            o y_0 -- T_1 --o q_1              o y_1 -- T_2 --[ m ] q_2
 *             '-- C --o-- B ---'                '-- C --o-- B ---'           ^^^^^^^^^^^^^
 *                    x_0                               x_1                    [-a, a]
 * @endcode
 *
 * @f[ M \ddot q + C \dot q + K q = L\,u(t) + e_N\,r, \qquad q = (q_0, x_0, y_0, q_1, \dots, q_N), \qquad
 *     r \in [-a, a], \quad r = -a\ (\dot q_N > 0), \quad r = a\ (\dot q_N < 0), @f]
 * where u_i(t) is the contraction force of the element C_i. All sarcomeres are equal, and their number is
 * arbitrary.
 */
struct Fibre {
  /// The form of the rows y_i of K. In the printed form, the spring K_i of the sarcomere pulls y_i towards
  /// x_i; in the corrected form, it pulls y_i towards q_i.
  enum class Stiffness { corrected, printed };

  int n_sarcomeres = 2;
  Stiffness stiffness = Stiffness::corrected;
  double m = 1;                     ///< mass of the slide
  double k_0 = 2, c_0 = 2;          ///< stiffness and damping of T_0
  double k = 1, c = 1;              ///< stiffness and damping of T_1, ..., T_N
  double K_s = 1;                   ///< spring of a sarcomere
  double gamma = 0.5, theta = 0.5;  ///< stiffness and damping of a cross-bridge
  double a = 0.12;                  ///< threshold of the friction of the slide

  /// Parameters of the twitches. In a twitch, a contractile element pulls with force * sin^2 during
  /// `duration`. Neighbouring elements twitch with the delay `delay`, and the twitches repeat with the period
  /// `period`.
  double force = 1, duration = 6, delay = 1.5, period = 20;

  halfdof::Index n_dofs() const { return 3 * n_sarcomeres + 1; }
  halfdof::Index slide() const { return 3 * n_sarcomeres; }
  std::vector<std::string> names() const;
  /// Returns the names of the entries of x = (q, q'): "q_0", ..., "q_0'", ...
  std::vector<std::string> names_of_state() const;

  halfdof::MultiVector M() const;
  halfdof::MultiVector C() const;
  halfdof::MultiVector K() const;
  /// Returns L, whose columns are pairs of opposite forces that pull q_i and x_i together. Shape: n_dofs() x
  /// n_sarcomeres.
  halfdof::MultiVector L() const;

  halfdof::Vector activation(double time) const;
  halfdof::Vector activation_rate(double time) const;
};
