#pragma once

#include <halfdof/base/profile.h>

#include <deal.II/base/timer.h>

#include <set>
#include <string>

namespace halfdof {

/**
 * Lets the stages of the library (Profile) appear as sections "halfdof: ..." of an application's TimerOutput,
 * beside its own, and starts the profile. A stage that runs within one of the same name is part of that.
 *
 * @code
 * dealii::TimerOutput timer(std::cout, dealii::TimerOutput::summary, dealii::TimerOutput::wall_times);
 * halfdof::profile_into(timer);
 * @endcode
 *
 * @param timer of one process, without a communicator: sections of others wait for all processes, and not all
 * stages run on
 *     each. It has to live until Profile::of_process().stop() or another start().
 */
inline void profile_into(dealii::TimerOutput& timer) {
  std::multiset<std::string> running;
  Profile::of_process().start([&timer, running](const std::string& stage, bool begins) mutable {
    const std::string name = "halfdof: " + stage;
    if (begins) {
      if (running.count(name) == 0) timer.enter_subsection(name);
      running.insert(name);
      return;
    }
    running.erase(running.find(name));
    if (running.count(name) == 0) timer.leave_subsection(name);
  });
}

}  // namespace halfdof
