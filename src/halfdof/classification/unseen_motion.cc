#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/classification/unseen_motion.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <string>
#include <vector>

namespace halfdof {

namespace {

/// Changes of forces below this times the largest are rounding.
constexpr double rounding = 1e-10;

/// Rates of algebraic DoFs, or accelerations of half DoFs.
struct Unseen {
  Vector LiftedState::*part;
  const char *name, *tangent;
  std::vector<DoFKind> kinds;
};

template <class Engine>
class Trial {
 public:
  Trial(const AssembledSystem<Engine>& system, const Classification& declared, double time,
        const LiftedState& motion)
      : system_(system),
        declared_(declared),
        time_(time),
        motion_(motion),
        force_(system.state_force().force(time, motion)) {}

  /// Whether forces change with those of the DoFs begin to end, which are assembled indices.
  bool depends_on(const Unseen& unseen, GlobalIndex begin, GlobalIndex end) const {
    const double largest = largest_of(motion_.*unseen.part), by = largest > 0 ? largest : 1;
    return changes(unseen, begin, end, by) || changes(unseen, begin, end, -by);
  }

 private:
  bool changes(const Unseen& unseen, GlobalIndex begin, GlobalIndex end, double by) const {
    LiftedState tried = motion_;
    for (Index i = 0; i < system_.dofs().n_local(); ++i) {
      const GlobalIndex dof = system_.dofs().global_index(i);
      const bool is_one =
          std::find(unseen.kinds.begin(), unseen.kinds.end(), declared_.kind(i)) != unseen.kinds.end();
      if (is_one && begin <= dof && dof < end) (tried.*unseen.part)[i] += by;
    }
    const Vector then = system_.state_force().force(time_, tried);
    return largest_of(then - force_) > rounding * largest_of(force_);
  }

  double largest_of(const Vector& values) const {
    return system_.dofs().communicator().max(values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.);
  }

  const AssembledSystem<Engine>& system_;
  const Classification& declared_;
  double time_;
  const LiftedState& motion_;
  Vector force_;
};

/// "DoF 17 (node 6, x), which is algebraic" of an assembled index. Collective.
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
void check_unseen_motion(const AssembledSystem<Engine>& system, const Classification& declared, double time,
                         const LiftedState& motion) {
  if (declared.n_algebraic() + declared.n_viscous() == 0) return;
  const Trial<Engine> trial(system, declared, time, motion);
  const Unseen all[] = {
      {&LiftedState::rate, "rate", "damping dp/dq'", {DoFKind::algebraic}},
      {&LiftedState::acceleration, "acceleration", "mass dp/dq''", {DoFKind::viscous, DoFKind::algebraic}}};
  for (const Unseen& unseen : all) {
    GlobalIndex begin = 0, end = system.n_dofs();
    if (!trial.depends_on(unseen, begin, end)) continue;
    while (end - begin > 1) {
      const GlobalIndex middle = begin + (end - begin) / 2;
      (trial.depends_on(unseen, begin, middle) ? end : begin) = middle;
    }
    throw InvalidInput("At t = " + number_text(time) + " the state force changes with the " + unseen.name +
                       " of " + describe(system, declared, begin) +
                       ": no state tells it, so that this part of the force would be lost. Declare its " +
                       unseen.tangent +
                       " in the pattern and the tangents (of a NonlinearElement, give the damping), or "
                       "leave it out of the force.");
  }
}

template void check_unseen_motion(const AssembledSystem<InstantiatedEngine>&, const Classification&, double,
                                  const LiftedState&);

}  // namespace halfdof
