// SPDX-License-Identifier: LGPL-2.1-or-later
#include "json_file.h"

#include <halfdof/base/atomic_file.h>

namespace halfdof::cli {

using namespace internal;

void write_json(const std::filesystem::path& path, const Json& json) {
  AtomicFile file(path);
  file.write(json.dump(2, ' ', false, Json::error_handler_t::replace));
  file.write("\n");
  file.commit();
}

Json pairs(const std::vector<Complex>& values) {
  Json array = Json::array();
  for (const Complex value : values)
    array.push_back({value.real() + 0., value.imag() + 0.});
  return array;
}

Json list_of(const Vector& vector) {
  const Vector entries = vector.array() + 0.;
  return std::vector<double>(entries.begin(), entries.end());
}

Json rows_of(const MultiVector& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(list_of(matrix.row(i).transpose()));
  return rows;
}

}  // namespace halfdof::cli
