// SPDX-License-Identifier: LGPL-2.1-or-later
#include "checks.h"

#include <cmath>

using halfdof::NumberStyle;
using halfdof::TableCell;

Checks::Checks()
    : table_({"checked",
              {"found", NumberStyle::general, 6},
              {"reference", NumberStyle::general, 6},
              {"difference", NumberStyle::general, 2},
              {"limit", NumberStyle::general, 2}}) {}

void Checks::compare(const std::string& what, double found, double reference, double limit) {
  const double difference = std::abs(found / reference - 1);
  passed_ = passed_ && difference <= limit;
  table_.add_row({what, found, reference, difference, limit});
}

void Checks::bound(const std::string& what, double found, double limit) {
  passed_ = passed_ && found <= limit;
  table_.add_row({what, found, TableCell(""), TableCell(""), limit});
}

void Checks::above(const std::string& what, double found, double reference) {
  passed_ = passed_ && found > reference;
  table_.add_row({what, found, reference, TableCell(""), TableCell("")});
}
