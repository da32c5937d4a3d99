// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/text_table.h>

#include <string>

/// A table of results and reference values, which records whether all checks passed.
class Checks {
 public:
  Checks();

  /// Checks that the relative difference of two numbers is at most `limit`.
  void compare(const std::string& what, double found, double reference, double limit);
  /// Checks that a number is at most `limit`.
  void bound(const std::string& what, double found, double limit);
  /// Checks that a number exceeds a reference value.
  void above(const std::string& what, double found, double reference);

  bool passed() const { return passed_; }
  friend std::ostream& operator<<(std::ostream& out, const Checks& checks) { return out << checks.table_; }

 private:
  halfdof::TextTable table_;
  bool passed_ = true;
};
