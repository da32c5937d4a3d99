// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/search_progress.h>

#include <utility>

namespace halfdof::internal {

namespace {

/// This is a pointer and not an object, because glibc ends the process if it has no memory to register the
/// destructor of a thread-local object.
thread_local const SearchObserver* observer_of_thread = nullptr;

}  // namespace

ObservedSearches::ObservedSearches(SearchObserver observer)
    : observer_(std::move(observer)), before_(std::exchange(observer_of_thread, &observer_)) {}

ObservedSearches::~ObservedSearches() {
  observer_of_thread = before_;
}

void show_progress(const SearchProgress& progress) {
  if (observer_of_thread && *observer_of_thread) (*observer_of_thread)(progress);
}

}  // namespace halfdof::internal
