#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof {

/// a_ij += value. Assembled numbering, 0-based.
struct MatrixEntry {
  GlobalIndex row;
  GlobalIndex column;
  double value;
};

/// Where an element ends that stands on the ground.
constexpr GlobalIndex ground = -1;

/// Adds value (e_a - e_b)(e_a - e_b)^T: a spring, a damper or an inerter between two DoFs, or a DoF and the
/// ground.
void add_between(std::vector<MatrixEntry>& entries, GlobalIndex a, GlobalIndex b, double value);

/// A spring or damper between two DoFs, or a DoF and the ground, which pushes x = q_a - q_b back by any
/// function of x and x'. The processes that own a or b call the force, all of them its derivatives, with the
/// same numbers.
struct NonlinearElement {
  using Function = std::function<double(double x, double rate)>;

  GlobalIndex a, b;
  Function force;
  Function stiffness = {};  ///< d force / dx; absent: zero
  Function damping =
      {};  ///< d force / dx'; absent: zero, and a and b keep their kinds; needed where one of them would
           ///< be algebraic, on whose rate no force may depend
};

/**
 * Elements that no mesh knows: springs, dampers, point masses, joints, electric circuits; and the DoFs that
 * they bring along (the node between a spring and a damper, the charge on an electrode). Every process gives
 * the same elements.
 *
 * @code
 * // A spring and a damper in series between DoF `middle` and the ground: the node between them has no mass.
 * LumpedElements attachment;
 * const GlobalIndex node = n_dofs;
 * attachment.new_dofs = {"joint"};
 * add_between(attachment.stiffness, middle, node, 2e3);
 * add_between(attachment.damping, node, ground, 5.);
 * @endcode
 */
struct LumpedElements {
  std::vector<std::string> new_dofs;  ///< component names; their numbers follow those of the assembled DoFs
  std::vector<MatrixEntry> mass;
  std::vector<MatrixEntry> damping;
  std::vector<MatrixEntry> stiffness;
  std::vector<NonlinearElement> nonlinear = {};  ///< their sum is added to the state force
};

/**
 * The description with the elements added to its matrices. New DoFs carry no load, and belong to the last
 * process. Numbering: assembled DoFs keep theirs. Collective.
 * @throws InvalidInput if an index is neither an assembled nor a new DoF, a value is not finite, or processes
 *     give different elements.
 */
template <class Engine>
SystemDescription<Engine> with_lumped_elements(const SystemDescription<Engine>& description,
                                               const LumpedElements& elements);

}  // namespace halfdof
