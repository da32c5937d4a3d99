// SPDX-License-Identifier: LGPL-2.1-or-later
#include "recorder.h"

namespace halfdof::python {

namespace {

/// Interval between checks for an interrupt: short for a user who waits, long beside a check.
constexpr std::chrono::milliseconds between_checks{50};

Vector joined(const std::vector<Vector>& parts) {
  Index n = 0;
  for (const Vector& part : parts)
    n += static_cast<Index>(part.size());
  Vector all(n);
  Index first = 0;
  for (const Vector& part : parts) {
    all.segment(first, part.size()) = part;
    first += static_cast<Index>(part.size());
  }
  return all;
}

Vector selected(const Vector& all, const std::vector<Index>& dofs) {
  Vector part(static_cast<Index>(dofs.size()));
  for (std::size_t i = 0; i < dofs.size(); ++i)
    part[static_cast<Index>(i)] = all[dofs[i]];
  return part;
}

}  // namespace

Recorder::Recorder(RecorderOptions options, const py::object& observer) : options_(std::move(options)) {
  if (observer.is_none()) return;
  observer_.emplace(observer);
  python_point_.emplace(py::cast(point_));
}

void Recorder::operator()(const NonsmoothObservation<Engine>& now) {
  if (verification) (*verification)(now);
  if (!options_.times.empty())
    record_times(now);
  else if (n_observed_ % options_.every == 0)
    record(now);
  ++n_observed_;
  for (const ContactEvent& event : now.events())
    events_.push_back({event.begin, event.end, event.inclusion, event.w_before, event.w_after, event.impulse,
                       event.before, event.after});
  if (observer_) call_observer(now);
  check_interrupt();
}

void Recorder::record_times(const NonsmoothObservation<Engine>& now) {
  static const std::vector<ContactEvent> no_events;
  for (; next_time_ < options_.times.size() && options_.times[next_time_] <= now.time(); ++next_time_) {
    const double time = options_.times[next_time_];
    if (time == now.time()) {
      record(now);
    } else if (now.step() != nullptr) {
      const NonsmoothState state = now.interpolate(time);
      record(NonsmoothObservation<Engine>(now.inclusions(), state, no_events));
    }
  }
}

void Recorder::record(const NonsmoothObservation<Engine>& now) {
  ++n_rows_;
  times_.push_back(now.time());
  dissipated_.push_back(now.dissipated());
  if (!options_.dofs.empty()) {
    const AssembledMotion& motion = now.lift();
    displacements_.add(selected(motion.displacement, options_.dofs));
    rates_.add(selected(motion.rate, options_.dofs));
    if (options_.accelerations) accelerations_.add(selected(motion.acceleration, options_.dofs));
  }
  reactions_.add(joined(now.reactions()));
  impulses_.add(now.state().impulse);
  gaps_.add(now.state().g);
  slip_rates_.add(now.state().w);
  const std::vector<ContactState> contacts = now.contacts();
  n_inclusions_ = contacts.size();
  for (const ContactState contact : contacts)
    contacts_.push_back(static_cast<std::uint8_t>(contact));
}

void Recorder::call_observer(const NonsmoothObservation<Engine>& now) {
  const py::gil_scoped_acquire gil;
  point_->show(&now);
  try {
    observer_->get()(python_point_->get());
  } catch (...) {
    point_->show(nullptr);
    throw;
  }
  point_->show(nullptr);
}

void Recorder::check_interrupt() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_check_ < between_checks) return;
  last_check_ = now;
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

py::array Recorder::array_of(Table& table, std::size_t n_rows) {
  const std::size_t n_columns = n_rows > 0 ? table.entries.size() / n_rows : 0;
  auto* const own = new std::vector<double>(std::move(table.entries));
  const py::capsule owner(own, [](void* pointer) { delete static_cast<std::vector<double>*>(pointer); });
  return py::array_t<double>({n_rows, n_columns}, own->data(), owner);
}

py::dict Recorder::recorded() {
  py::dict all;
  all["t"] = py::array_t<double>(static_cast<py::ssize_t>(times_.size()), times_.data());
  all["dissipated"] = py::array_t<double>(static_cast<py::ssize_t>(dissipated_.size()), dissipated_.data());
  all["q"] = array_of(displacements_, n_rows_);
  all["v"] = array_of(rates_, n_rows_);
  all["a"] = array_of(accelerations_, n_rows_);
  all["reactions"] = array_of(reactions_, n_rows_);
  all["impulses"] = array_of(impulses_, n_rows_);
  all["gaps"] = array_of(gaps_, n_rows_);
  all["slip_rates"] = array_of(slip_rates_, n_rows_);
  py::array_t<std::uint8_t> contacts({n_rows_, n_inclusions_});
  std::copy(contacts_.begin(), contacts_.end(), contacts.mutable_data());
  all["contacts"] = contacts;
  py::list events;
  for (const Event& event : events_)
    events.append(py::make_tuple(event.begin, event.end, event.inclusion, name_of(event.before),
                                 name_of(event.after), event.w_before, event.w_after, event.impulse));
  all["events"] = events;
  return all;
}

}  // namespace halfdof::python
