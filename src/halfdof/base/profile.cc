// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>
#include <halfdof/base/text_table.h>

#include <sys/resource.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <ctime>
#include <ostream>
#include <utility>

namespace halfdof {

namespace {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double peak_memory_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024. * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

Profile& Profile::of_process() {
  static Profile profile;
  return profile;
}

void Profile::start(Listener listener) {
  assert(running_.size() <= 1);
  nodes_.assign(1, {});
  running_.assign(1, 0);
  listener_ = std::move(listener);
  is_on_ = true;
}

std::size_t Profile::enter(const char* name) {
  const std::size_t within = running_.back();
  const auto& inner = nodes_[within].inner;
  const auto found = std::find_if(inner.begin(), inner.end(),
                                  [&](std::size_t node) { return nodes_[node].stage.name == name; });
  std::size_t node = nodes_.size();
  if (found != inner.end()) {
    node = *found;
  } else {
    nodes_.emplace_back().stage.name = name;
    nodes_[within].inner.push_back(node);
  }
  if (listener_) listener_(name, true);
  running_.push_back(node);
  return node;
}

void Profile::leave(std::size_t node, double wall, double processor) {
  ProfiledStage& stage = nodes_[node].stage;
  ++stage.n_calls;
  stage.wall += wall;
  stage.processor += processor;
  stage.peak_memory = peak_memory_now();
  running_.pop_back();
  if (listener_ && is_on_) listener_(stage.name, false);
}

void Profile::list(std::size_t node, int depth, std::vector<ProfiledStage>& all) const {
  for (const std::size_t inner : nodes_[node].inner) {
    all.push_back(nodes_[inner].stage);
    all.back().depth = depth;
    list(inner, depth + 1, all);
  }
}

std::vector<ProfiledStage> Profile::stages() const {
  std::vector<ProfiledStage> all;
  if (!nodes_.empty()) list(0, 0, all);
  return all;
}

std::ostream& operator<<(std::ostream& out, const Profile& profile) {
  TextTable table({"stage",
                   "calls",
                   {"wall [s]", NumberStyle::fixed, 4},
                   {"processor [s]", NumberStyle::fixed, 4},
                   {"peak memory [MB]", NumberStyle::fixed, 1}});
  const std::vector<ProfiledStage> stages = profile.stages();
  for (const ProfiledStage& stage : stages)
    table.add_row({std::string(2 * static_cast<std::size_t>(stage.depth), ' ') + stage.name, stage.n_calls,
                   stage.wall, stage.processor, stage.peak_memory / 1e6});
  out << table;
  for (const ProfiledStage& stage : stages)
    for (const std::string& note : stage.notes)
      out << stage.name << ": " << note << '\n';
  return out;
}

void StageTimer::begin(const char* name) {
  node_ = Profile::of_process().enter(name);
  is_reported_ = true;
  wall_ = wall_seconds();
  processor_ = cpu_seconds();
}

void StageTimer::end() {
  Profile::of_process().leave(node_, wall_seconds() - wall_, cpu_seconds() - processor_);
}

void StageTimer::note(const std::function<std::string()>& text) const {
  if (!is_reported_) return;
  std::vector<std::string>& notes = Profile::of_process().nodes_[node_].stage.notes;
  std::string remark = text();
  if (std::find(notes.begin(), notes.end(), remark) == notes.end()) notes.push_back(std::move(remark));
}

}  // namespace halfdof
