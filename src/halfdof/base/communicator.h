#pragma once

#include <halfdof/base/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/**
 * The processes that share a system. This base class is the single process; the Trilinos engine derives the
 * MPI one. All functions are collective: every process calls them in the same order.
 */
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }

  /// Replaces every value by its sum over the processes.
  virtual void sum(double* values, int n) const;
  /// Replaces every value by its maximum over the processes (a NaN anywhere gives NaN).
  virtual void max(double* values, int n) const;
  /// Sum of `value` over the processes with a lower rank.
  virtual GlobalIndex sum_before(GlobalIndex value) const;
  /// The bytes of every process, one after the other in order of rank, on every process.
  virtual std::vector<std::string> gather(const std::string& bytes) const;

  double sum(double value) const {
    sum(&value, 1);
    return value;
  }
  double max(double value) const {
    max(&value, 1);
    return value;
  }
  GlobalIndex count(GlobalIndex local) const {
    return static_cast<GlobalIndex>(sum(static_cast<double>(local)));
  }
  bool any(bool here) const { return max(here ? 1. : 0.) > 0.; }

  /// The communicator of one process.
  static std::shared_ptr<const Communicator> self();
};

/// call_together() of several processes. Collective.
void call_on_several(const Communicator& communicator, const std::function<void()>& action);

/**
 * Runs `action` on every process. Where it throws on any of them, all processes throw: the first one that
 * failed throws its own exception again, and the others throw its copy (see error_transport.h), so that none
 * is left waiting in a collective call. The action must not be in a collective call itself where it throws on
 * some processes only. Collective.
 */
template <class Action>
void call_together(const Communicator& communicator, const Action& action) {
  if (communicator.size() == 1)
    action();
  else
    call_on_several(communicator, std::ref(action));
}

/// Whether all processes give the same bytes. Collective.
bool is_same_everywhere(const Communicator& communicator, const std::string& bytes);

/// Gathers numbers of all processes on each, in order of rank.
std::vector<double> gather(const Communicator& communicator, const std::vector<double>& local);
std::vector<GlobalIndex> gather(const Communicator& communicator, const std::vector<GlobalIndex>& local);

/// Inner products over all processes of the columns: result(i, j) = x_i^H y_j.
MultiVector inner_products(const Communicator& communicator, ConstView<double> x, ConstView<double> y);

/// Euclidean norm over all processes.
double norm(const Communicator& communicator, ConstView<double> x);
double norm(const Communicator& communicator, ConstView<Complex> x);

}  // namespace halfdof
