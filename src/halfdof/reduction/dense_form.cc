// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/dense_form.h>

#include <sstream>

namespace halfdof::internal {

void check_dense_size(const char* name, GlobalIndex n_rows, GlobalIndex n_columns,
                      const DenseFormOptions& options) {
  const double bytes = 8. * static_cast<double>(n_rows) * static_cast<double>(n_columns);
  if (bytes <= options.max_bytes) return;
  std::ostringstream message;
  message << "The dense " << name << " of this system is " << n_rows << " x " << n_columns << " and needs "
          << bytes / 1e6 << " MB, more than the limit of " << options.max_bytes / 1e6
          << " MB. Work with the reduced system as an operator (apply, shifted, lift) or with its sparse "
             "pencil, or raise DenseFormOptions::max_bytes.";
  throw BeyondLimit(message.str());
}

MultiVector gather_rows(const Partition& partition, ConstView<double> local) {
  MultiVector all = MultiVector::Zero(partition.n_global(), local.cols());
  for (Index i = 0; i < partition.n_local(); ++i)
    all.row(partition.global_index(i)) = local.row(i);
  for (Index j = 0; j < all.cols(); ++j)
    partition.communicator().sum(all.col(j).data(), static_cast<int>(all.rows()));
  return all;
}

}  // namespace halfdof::internal
