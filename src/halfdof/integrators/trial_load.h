#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <optional>

namespace halfdof {

/// Loads of the trials of a step of a system with a StateForce: that of its begin is kept while its reactions
/// stay.
template <class Engine>
class TrialLoad {
 public:
  void begin(double time) {
    begin_ = time;
    at_begin_.reset();
  }
  void forget_tangents() { at_begin_.reset(); }

  /// F at a state of the present trial. @param r Reactions there, whole @param forces Theirs, on the free
  /// DoFs
  Vector operator()(const ReducedSystem<Engine>& reduced, const State& state, const Vector& r,
                    const Vector& forces) {
    if (state.time != begin_) return reduced.load(state, forces);
    if (!at_begin_ || r_ != r) at_begin_ = reduced.load(state, forces);
    r_ = r;
    return *at_begin_;
  }

 private:
  double begin_ = 0;  ///< [s]
  std::optional<Vector> at_begin_;
  Vector r_;
};

}  // namespace halfdof
