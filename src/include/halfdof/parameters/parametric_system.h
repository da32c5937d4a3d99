// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/functions/parameters.h>

#include <vector>

namespace halfdof {

/// One term a(p) A of a matrix that depends on parameters.
template <class Engine>
struct MatrixTerm {
  typename Engine::Matrix matrix;
  ParameterFormula factor = {};  ///< left out: 1
};

/// Terms that are added to the constant matrices. Shapes: n_dofs() x n_dofs() each.
template <class Engine>
struct MatrixTerms {
  std::vector<MatrixTerm<Engine>> mass, damping, stiffness;
};

/**
 * An assembled system whose matrices are sums with factors that are formulas of parameters p,
 * @f[ M(p) = M_0 + \sum_k a_k(p) M_k, \quad C(p) = C_0 + \sum_k b_k(p) C_k, \quad
 *     K(p) = K_0 + \sum_k c_k(p) K_k : @f]
 * gyroscopic terms that grow with the speed of a rotor, the circulatory stiffness of a brake, ...
 *
 * @code
 * SystemDescription<EigenEngine> constant;  // M_0 and K_0
 * const ParametricSystem<EigenEngine> rotor(constant, {{}, {{G, ParameterFormula("omega")}}, {}},
 *                                           {{"omega", 5.}});
 * const auto at_twice_the_speed = rotor.at({{"omega", 10.}});
 * @endcode
 *
 * Numbering: assembled. Units: those of the application. Constant, and cheap to copy but for the lists.
 */
template <class Engine>
class ParametricSystem {
 public:
  /**
   * @param constant The constant parts M_0, C_0 and K_0, each of which may be absent (an empty stiffness),
   *     and everything that is no matrix: loads, constrained DoFs, labels
   * @param parameters The default values of all parameters
   * @throws InvalidInput if there is no stiffness at all, a term has another size than the stiffness, a
   *     factor uses a word that is no parameter, or a name of a parameter is not allowed (check_parameters())
   */
  ParametricSystem(SystemDescription<Engine> constant, MatrixTerms<Engine> terms, Parameters parameters);

  /// The default values of all parameters. describe() and at() use them for the parameters to which they are
  /// given no other value.
  const Parameters& parameters() const { return parameters_; }
  /// Returns whether a factor of a matrix uses a parameter.
  bool depends_on(const std::string& parameter) const;

  /// Returns the system at values of the parameters. @param changed Parameters with other values than
  /// parameters(); the others keep theirs
  /// @throws InvalidInput if one of them is no parameter, or a factor is not finite
  SystemDescription<Engine> describe(const Parameters& changed = {}) const;
  AssembledSystem<Engine> at(const Parameters& changed = {}) const;

 private:
  SystemDescription<Engine> constant_;
  MatrixTerms<Engine> terms_;
  Parameters parameters_;
};

}  // namespace halfdof
