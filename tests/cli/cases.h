// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <boost/test/unit_test.hpp>

#include "program.h"
#include "support/sanitized.h"
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * What the tests of cases share.
 */
namespace halfdof::test {

/// The columns of a table by their names.
inline std::map<std::string, std::vector<std::string>> table(const std::filesystem::path& file) {
  std::istringstream in(text_of(file));
  const auto cells = [](const std::string& line) {
    std::istringstream row(line);
    std::vector<std::string> all;
    for (std::string cell; std::getline(row, cell, ',');)
      all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells(line);
  std::map<std::string, std::vector<std::string>> columns;
  while (std::getline(in, line)) {
    const std::vector<std::string> row = cells(line);
    BOOST_REQUIRE(row.size() == names.size());
    for (std::size_t c = 0; c < row.size(); ++c)
      columns[names[c]].push_back(row[c]);
  }
  return columns;
}

inline std::vector<double> numbers(const std::vector<std::string>& texts) {
  std::vector<double> all;
  for (const std::string& text : texts)
    all.push_back(std::stod(text));
  return all;
}

/// A case in which every text of `changes` is replaced by the one behind it.
inline std::string changed(std::string text,
                           const std::vector<std::pair<std::string, std::string>>& changes) {
  for (const auto& [from, to] : changes) {
    const std::size_t place = text.find(from);
    BOOST_REQUIRE(place != std::string::npos);
    text.replace(place, from.size(), to);
  }
  return text;
}

/// A folder with the mass and the stiffness of one DoF, and an empty one for tables.
class OneMass : public Terminal {
 public:
  OneMass(double mass, double stiffness) {
    std::filesystem::create_directory(path() / "out");
    const auto one = [](double value) {
      return DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, value));
    };
    write_matrix_market(path() / "M.mtx", one(mass));
    write_matrix_market(path() / "K.mtx", one(stiffness));
  }

  Run simulate(const std::string& text, const Arguments& more = {}) const {
    file("case.toml", text);
    return run(command("simulate", {"case.toml"}, more));
  }
};

/// By which runs are shorter that are long enough to be interrupted, where the sanitizers make steps slower.
#ifdef HALFDOF_IS_SANITIZED
inline constexpr int shortened = 10;
#else
inline constexpr int shortened = 1;
#endif

/// 2 q'' = r with |r| <= 4, q'(0) = 3: it comes to rest after 1.5 s and 2.25 m.
inline const char* const sliding = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
velocity = [3.0]
[[inclusion]]
name = "floor"
law = "dry-friction"
direction = [{dof = 0}]
lower = -4.0
upper = 4.0
[integrator]
method = "moreau-jean"
step = 1e-3
end = 2.0
[output]
file = "out/slide.csv"
every = 500
displacement = [0]
velocity = [0]
dissipated = true
)";

}  // namespace halfdof::test
