// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <functional>

namespace halfdof::internal {

/// The progress of a search for eigenvalues, by a Krylov iteration or one eigenvalue at a time.
struct SearchProgress {
  Index n_wanted;     ///< number of eigenvalues to find
  Index n_converged;  ///< number of converged eigenvalues among the current best n_wanted
  Index n_steps;      ///< number of applications of the operator to a block of vectors
  double residual;    ///< largest residual of the wanted eigenvalues, relative to its eigenvalue
  double done;        ///< fraction of the needed digits that have been gained, 0 to 1; it may decrease
};

using SearchObserver = std::function<void(const SearchProgress&)>;

/// While an object of this class exists, its observer is called several times during each search for
/// eigenvalues of this thread. It replaces the previous observer, which is restored by the destructor.
class ObservedSearches {
 public:
  explicit ObservedSearches(SearchObserver observer);
  ObservedSearches(const ObservedSearches&) = delete;
  ObservedSearches& operator=(const ObservedSearches&) = delete;
  ~ObservedSearches();

 private:
  SearchObserver observer_;
  const SearchObserver* before_;
};

/// Calls the observer of this thread, if there is one.
void show_progress(const SearchProgress& progress);

}  // namespace halfdof::internal
