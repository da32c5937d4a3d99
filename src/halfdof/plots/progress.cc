// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/plots/progress.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace halfdof {

namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Whether a stream writes to a terminal that can redraw a line.
bool is_terminal(const std::ostream& out) {
  const char* const kind = std::getenv("TERM");
  if (kind == nullptr || std::string_view(kind) == "dumb") return false;
  if (out.rdbuf() == std::cout.rdbuf()) return isatty(STDOUT_FILENO) != 0;
  return (out.rdbuf() == std::cerr.rdbuf() || out.rdbuf() == std::clog.rdbuf()) && isatty(STDERR_FILENO) != 0;
}

std::string percent_text(double fraction) {
  return std::to_string(static_cast<int>(std::floor(100 * fraction))) + " %";
}

}  // namespace

std::string duration_text(double seconds) {
  char text[64];
  const double whole = std::round(seconds);
  if (seconds < 9.95)
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  else if (whole < 60)
    std::snprintf(text, sizeof text, "%.0f s", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof text, "%.0f min %.0f s", std::floor(whole / 60), std::fmod(whole, 60));
  else
    std::snprintf(text, sizeof text, "%.0f h %.0f min", std::floor(whole / 3600),
                  std::floor(std::fmod(whole, 3600) / 60));
  return text;
}

Progress::Progress(std::string title, double end, ProgressOptions options)
    : Progress(std::move(title), end, std::cerr, std::move(options)) {}

Progress::Progress(std::string title, double end, std::ostream& out, ProgressOptions options)
    : title_(std::move(title)), end_(end), out_(out), options_(std::move(options)) {
  if (!options_.clock) options_.clock = steady_seconds;
  if (options_.display == ProgressDisplay::never)
    form_ = Form::none;
  else if (is_terminal(out_))
    form_ = Form::redrawn;
  else
    form_ = options_.display == ProgressDisplay::always ? Form::lines : Form::none;
  start_ = next_update_ = options_.clock();
  next_percent_ = options_.percent_between_lines;
}

Progress::~Progress() {
  leave();
}

void Progress::leave() {
  if (line_is_open_) out_ << '\n' << std::flush;
  line_is_open_ = false;
  form_ = Form::none;
}

void Progress::update(double done) {
  if (form_ == Form::none) return;
  const double fraction = done >= end_ ? 1. : done > 0 ? done / end_ : 0.;
  const double now = options_.clock();
  const double elapsed = now - start_;
  const std::string left = fraction > 0 ? duration_text(elapsed * (1 - fraction) / fraction) + " left" : "";
  if (form_ == Form::redrawn && now >= next_update_) {
    next_update_ = now + options_.seconds_between_updates;
    redraw(fraction, left);
  } else if (form_ == Form::lines && 100 * fraction >= next_percent_ && fraction < 1) {
    next_percent_ = (static_cast<int>(100 * fraction) / options_.percent_between_lines + 1) *
                    options_.percent_between_lines;
    out_ << title_ << ": " << percent_text(fraction) << " after " << duration_text(elapsed) << ", " << left
         << std::endl;
  }
}

void Progress::redraw(double fraction, const std::string& remark) {
  const int width = 30;
  const int filled = static_cast<int>(fraction * width);
  const std::string percent = percent_text(fraction);
  out_ << '\r' << title_ << "  [" << std::string(static_cast<std::size_t>(filled), '#')
       << std::string(static_cast<std::size_t>(width - filled), ' ') << "]  "
       << std::string(percent.size() < 5 ? 5 - percent.size() : 0, ' ') << percent << "  " << remark
       << "\033[K" << std::flush;
  line_is_open_ = true;
}

void Progress::finish() {
  if (form_ == Form::none) return;
  const std::string remark = "done in " + duration_text(options_.clock() - start_);
  if (form_ == Form::redrawn) {
    redraw(1, remark);
    out_ << std::endl;
    line_is_open_ = false;
  } else {
    out_ << title_ << ": " << remark << std::endl;
  }
  form_ = Form::none;
}

}  // namespace halfdof
