// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/search_progress.h>

#include <utility>

namespace halfdof::internal {

namespace {

/// The observer of the present thread; null if there is none. A pointer is stored instead of an object,
/// because glibc ends the process if the memory for registering the destructor of a thread-local object is
/// missing.
thread_local const SearchObserver* observer_of_thread = nullptr;

}  // namespace

ScopedSearchObserver::ScopedSearchObserver(SearchObserver observer)
    : observer_(std::move(observer)), before_(std::exchange(observer_of_thread, &observer_)) {}

ScopedSearchObserver::~ScopedSearchObserver() {
  observer_of_thread = before_;
}

void show_progress(const SearchProgress& progress) {
  if (observer_of_thread && *observer_of_thread) (*observer_of_thread)(progress);
}

}  // namespace halfdof::internal
