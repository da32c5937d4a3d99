#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace halfdof {

/// One entry of a table: text, a whole number, a real or a complex one.
class TableCell {
 public:
  using Value = std::variant<std::string, GlobalIndex, double, Complex>;

  TableCell(std::string text) : value_(std::move(text)) {}
  TableCell(const char* text) : value_(std::string(text)) {}
  TableCell(double number) : value_(number) {}
  TableCell(Complex number) : value_(number) {}
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  TableCell(Integer number) : value_(static_cast<GlobalIndex>(number)) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

}  // namespace halfdof
