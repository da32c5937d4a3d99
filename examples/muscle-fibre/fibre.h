// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <string>
#include <vector>

/**
 * A muscle fibre that pulls a slide (Dumont, Goeleven, Rochdi 2001, example 5.4). Between its tendons T_0
 * and T_N stand sarcomeres, each a spring K beside a contractile element C with a cross-bridge B behind it;
 * Z-disks T_i join them. Tendons, disks and cross-bridges are springs with dampers. Only the slide has a
 * mass, and it rubs:
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
 * u_i(t) being the force with which element C_i contracts. Any number of sarcomeres, all alike.
 */
struct Fibre {
  /// Rows y_i of K: as printed, the spring K_i of the sarcomere pulls y_i towards x_i instead of q_i.
  enum class Stiffness { corrected, printed };

  int n_sarcomeres = 2;
  Stiffness stiffness = Stiffness::corrected;
  double m = 1;                     ///< of the slide
  double k_0 = 2, c_0 = 2;          ///< T_0
  double k = 1, c = 1;              ///< T_1, ..., T_N
  double K_s = 1;                   ///< spring of a sarcomere
  double gamma = 0.5, theta = 0.5;  ///< cross-bridge: spring and damper
  double a = 0.12;                  ///< friction of the slide

  /// Twitches: each element pulls with force * sin^2 during `duration`, one after the other, and again.
  double force = 1, duration = 6, delay = 1.5, period = 20;

  halfdof::Index n_dofs() const { return 3 * n_sarcomeres + 1; }
  halfdof::Index slide() const { return 3 * n_sarcomeres; }
  std::vector<std::string> names() const;
  /// Of x = (q, q'): "q_0", ..., "q_0'", ...
  std::vector<std::string> names_of_state() const;

  halfdof::MultiVector M() const;
  halfdof::MultiVector C() const;
  halfdof::MultiVector K() const;
  /// L: n_dofs() x n_sarcomeres, each column pulls q_i and x_i together.
  halfdof::MultiVector L() const;

  halfdof::Vector activation(double time) const;
  halfdof::Vector activation_rate(double time) const;
};
