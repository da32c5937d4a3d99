#include <halfdof/linear_algebra/search_progress.h>

#include <utility>

namespace halfdof {

namespace {

SearchObserver& observer_of_thread() {
  thread_local SearchObserver observer;
  return observer;
}

}  // namespace

ObservedSearches::ObservedSearches(SearchObserver observer)
    : before_(std::exchange(observer_of_thread(), std::move(observer))) {}

ObservedSearches::~ObservedSearches() {
  observer_of_thread() = std::move(before_);
}

void show_progress(const SearchProgress& progress) {
  if (const SearchObserver& observer = observer_of_thread()) observer(progress);
}

}  // namespace halfdof
