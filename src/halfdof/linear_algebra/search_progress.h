#pragma once

#include <halfdof/base/types.h>

#include <functional>

namespace halfdof {

/// How far a search for eigenvalues is, by iteration in Krylov spaces or one by one.
struct SearchProgress {
  Index n_wanted;     ///< eigenvalues
  Index n_converged;  ///< of those that are the nearest so far
  Index n_steps;      ///< applications of the operator to a block of vectors
  double residual;    ///< the largest of those wanted, relative to the eigenvalue
  double done;        ///< part of the digits that have been gained, 0 to 1; it may fall
};

using SearchObserver = std::function<void(const SearchProgress&)>;

/// Shows the searches of this thread to an observer, several times in each, as long as it lives: in place
/// of the one before, which comes back then.
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

/// Tells the observer of this thread, if there is one.
void show_progress(const SearchProgress& progress);

}  // namespace halfdof
