// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/classification/state_force_check.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <string>
#include <vector>

namespace halfdof::internal {

namespace {

/// A change of forces below this fraction of the largest force counts as a rounding error.
constexpr double rounding = 1e-10;

/// A kind of motion that no state contains: rates of algebraic DoFs, or accelerations of half DoFs.
struct NonStateMotion {
  Vector AssembledMotion::*part;
  const char *name, *tangent;
  std::vector<DoFKind> kinds;
};

template <class Engine>
class ForceTrial {
 public:
  ForceTrial(const AssembledSystem<Engine>& system, const Classification& declared, double time,
             const AssembledMotion& motion)
      : system_(system),
        declared_(declared),
        time_(time),
        motion_(motion),
        force_(system.state_force().force(time, motion)) {}

  /// Returns whether the forces change if this rate or acceleration is changed at the DoFs begin to end
  /// - 1 (assembled indices).
  bool force_depends_on(const NonStateMotion& kind_of_motion, GlobalIndex begin, GlobalIndex end) const {
    const double largest = largest_of(motion_.*kind_of_motion.part), by = largest > 0 ? largest : 1;
    return force_changes(kind_of_motion, begin, end, by) || force_changes(kind_of_motion, begin, end, -by);
  }

 private:
  bool force_changes(const NonStateMotion& kind_of_motion, GlobalIndex begin, GlobalIndex end,
                     double by) const {
    AssembledMotion changed = motion_;
    for (Index i = 0; i < system_.dofs().n_local(); ++i) {
      const GlobalIndex dof = system_.dofs().global_index(i);
      const bool is_affected = std::find(kind_of_motion.kinds.begin(), kind_of_motion.kinds.end(),
                                         declared_.kind(i)) != kind_of_motion.kinds.end();
      if (is_affected && begin <= dof && dof < end) (changed.*kind_of_motion.part)[i] += by;
    }
    const Vector changed_force = system_.state_force().force(time_, changed);
    return largest_of(changed_force - force_) > rounding * largest_of(force_);
  }

  double largest_of(const Vector& values) const {
    return system_.dofs().communicator().max(values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.);
  }

  const AssembledSystem<Engine>& system_;
  const Classification& declared_;
  double time_;
  const AssembledMotion& motion_;
  Vector force_;
};

/// Describes an assembled DoF: "DoF 17 (node 6, x), which is algebraic". Collective.
template <class Engine>
std::string describe(const AssembledSystem<Engine>& system, const Classification& declared, GlobalIndex dof) {
  const Index local = system.dofs().local_index(dof);
  std::string all;
  for (const std::string& text : system.dofs().communicator().gather(
           local < 0 ? "" : system.describe(local) + ", which is " + name_of(declared.kind(local))))
    all += text;
  return all;
}

}  // namespace

template <class Engine>
void check_force_depends_on_states_only(const AssembledSystem<Engine>& system, const Classification& declared,
                                        double time, const AssembledMotion& motion) {
  if (declared.n_algebraic() + declared.n_viscous() == 0) return;
  const ForceTrial<Engine> trial(system, declared, time, motion);
  const NonStateMotion all[] = {{&AssembledMotion::rate, "rate", "damping dp/dq'", {DoFKind::algebraic}},
                                {&AssembledMotion::acceleration,
                                 "acceleration",
                                 "mass dp/dq''",
                                 {DoFKind::viscous, DoFKind::algebraic}}};
  for (const NonStateMotion& kind_of_motion : all) {
    GlobalIndex begin = 0, end = system.n_dofs();
    if (!trial.force_depends_on(kind_of_motion, begin, end)) continue;
    while (end - begin > 1) {
      const GlobalIndex middle = begin + (end - begin) / 2;
      (trial.force_depends_on(kind_of_motion, begin, middle) ? end : begin) = middle;
    }
    throw InvalidInput(
        "At t = " + number_text(time) + " the state force depends on the " + kind_of_motion.name + " of " +
        describe(system, declared, begin) + ". No state contains this " + kind_of_motion.name +
        ", so that the force that depends on it would be lost. Declare the " + kind_of_motion.tangent +
        " of this DoF in the pattern and the tangents (of a NonlinearElement, give the "
        "damping), or remove the dependence from the force.");
  }
}

template void check_force_depends_on_states_only(const AssembledSystem<InstantiatedEngine>&,
                                                 const Classification&, double, const AssembledMotion&);

}  // namespace halfdof::internal
