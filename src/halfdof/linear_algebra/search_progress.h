// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <functional>

namespace halfdof::internal {

/// The progress of a search for eigenvalues. A Krylov iteration searches for all wanted eigenvalues together;
/// other methods compute one eigenvalue after the other.
struct SearchProgress {
  Index n_wanted;     ///< number of eigenvalues to find
  Index n_converged;  ///< number of converged eigenvalues among the current best n_wanted
  Index n_steps;      ///< number of applications of the operator to a block of vectors
  double residual;    ///< largest residual of the wanted eigenpairs, relative to the eigenvalue
  double done;        ///< fraction of the required digits that have been reached, 0 to 1; it may decrease
};

using SearchObserver = std::function<void(const SearchProgress&)>;

/// While an object of this class exists, its observer is called several times during each search for
/// eigenvalues in this thread. The constructor replaces the previous observer, which the destructor restores.
class ScopedSearchObserver {
 public:
  explicit ScopedSearchObserver(SearchObserver observer);
  ScopedSearchObserver(const ScopedSearchObserver&) = delete;
  ScopedSearchObserver& operator=(const ScopedSearchObserver&) = delete;
  ~ScopedSearchObserver();

 private:
  SearchObserver observer_;
  const SearchObserver* before_;
};

/// Calls the observer of this thread, if there is one.
void show_progress(const SearchProgress& progress);

}  // namespace halfdof::internal
