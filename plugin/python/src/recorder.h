// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "python.h"
#include <chrono>

namespace halfdof::python {

/// The point of a run that a Python observer sees. It is valid only while the observer is called.
class ObservedPoint {
 public:
  void show(const NonsmoothObservation<Engine>* now) { now_ = now; }
  /// @throws InvalidInput outside a call of the observer
  const NonsmoothObservation<Engine>& now() const {
    if (now_ == nullptr)
      throw InvalidInput(
          "The observed point of a run is valid only while the observer is called. Copy what is needed "
          "later.");
    return *now_;
  }

 private:
  const NonsmoothObservation<Engine>* now_ = nullptr;
};

struct RecorderOptions {
  std::vector<Index> dofs;     ///< DoFs of which displacements and rates are recorded
  bool accelerations = false;  ///< whether accelerations are recorded, too
  std::vector<double> times;   ///< times at which the run is recorded; empty: every step
  Index every = 1;             ///< without times, every k-th step is recorded
};

/// An observer that records a run in columns, calls a Python observer, and ends the run at an interrupt
/// (Ctrl-C).
class Recorder {
 public:
  Recorder(RecorderOptions options, const py::object& observer);

  void operator()(const NonsmoothObservation<Engine>& now);
  /// Returns the columns, which are moved out: call this once, at the end of a run.
  py::dict recorded();

  std::optional<Verification<Engine>> verification;

 private:
  /// A table with rows of equal length.
  struct Table {
    std::vector<double> entries;
    void add(const Vector& row) { entries.insert(entries.end(), row.data(), row.data() + row.size()); }
  };
  static py::array array_of(Table& table, std::size_t n_rows);

  void record(const NonsmoothObservation<Engine>& now);
  void record_times(const NonsmoothObservation<Engine>& now);
  void call_observer(const NonsmoothObservation<Engine>& now);
  void check_interrupt();

  RecorderOptions options_;
  std::optional<HeldObject> observer_;
  std::shared_ptr<ObservedPoint> point_ = std::make_shared<ObservedPoint>();
  std::optional<HeldObject> python_point_;
  std::chrono::steady_clock::time_point last_check_ = std::chrono::steady_clock::now();

  std::int64_t n_observed_ = 0;
  std::size_t next_time_ = 0, n_rows_ = 0;
  std::vector<double> times_, dissipated_;
  Table displacements_, rates_, accelerations_, reactions_, impulses_, gaps_, slip_rates_;
  std::vector<std::uint8_t> contacts_;
  std::size_t n_inclusions_ = 0;
  struct Event {
    double begin, end;
    std::size_t inclusion;
    Vector w_before, w_after, impulse;
    ContactState before, after;
  };
  std::vector<Event> events_;
};

}  // namespace halfdof::python
