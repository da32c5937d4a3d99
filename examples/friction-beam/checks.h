// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/text_table.h>

#include <string>

/// What was found, beside what it should be, in a table.
class Checks {
 public:
  Checks();

  /// Relative difference of two numbers at most `limit`.
  void compare(const std::string& what, double found, double reference, double limit);
  /// A number that ought to be zero.
  void bound(const std::string& what, double found, double limit);
  /// A number that ought to be above another.
  void above(const std::string& what, double found, double reference);

  bool passed() const { return passed_; }
  friend std::ostream& operator<<(std::ostream& out, const Checks& checks) { return out << checks.table_; }

 private:
  halfdof::TextTable table_;
  bool passed_ = true;
};
