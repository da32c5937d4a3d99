// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/mixed_column_matrix.h>

namespace halfdof::internal {

std::vector<ColumnSource> column_sources(const Classification& classification, Index n_local) {
  std::vector<ColumnSource> source(static_cast<std::size_t>(n_local), ColumnSource::mass);
  for (const Index j : classification.viscous().local())
    source[static_cast<std::size_t>(j)] = ColumnSource::damping;
  for (const Index j : classification.algebraic().local())
    source[static_cast<std::size_t>(j)] = ColumnSource::stiffness;
  return source;
}

}  // namespace halfdof::internal
