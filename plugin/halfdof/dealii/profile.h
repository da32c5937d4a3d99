// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/profile.h>

#include <deal.II/base/timer.h>

#include <set>
#include <string>

namespace halfdof {

/**
 * Starts the profile of the library (Profile) and adds its stages as sections "halfdof: ..." to the
 * TimerOutput of an application. The time of a stage that runs within another stage of equal name is counted
 * only once.
 *
 * @code
 * dealii::TimerOutput timer(std::cout, dealii::TimerOutput::summary, dealii::TimerOutput::wall_times);
 * halfdof::profile_into(timer);
 * @endcode
 *
 * @param timer timer of one process, without a communicator: sections of a timer with a communicator wait
 *     for all processes, but not all stages run on each. It must exist until Profile::of_process().stop() or
 *     another start().
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
