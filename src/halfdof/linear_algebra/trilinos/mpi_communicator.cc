// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace halfdof {

MpiCommunicator::MpiCommunicator(MPI_Comm mpi) : mpi_(mpi) {
  MPI_Comm_rank(mpi_, &rank_);
  MPI_Comm_size(mpi_, &size_);
}

void MpiCommunicator::sum(double* values, int n) const {
  MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, mpi_);
}

void MpiCommunicator::max(double* values, int n) const {
  // The second half of the buffer marks NaNs, for which the result of MPI_MAX is undefined.
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> buffer(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_nan = std::isnan(values[i]);
    buffer[i] = is_nan ? -std::numeric_limits<double>::infinity() : values[i];
    buffer[count + i] = is_nan ? 1 : 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, buffer.data(), 2 * n, MPI_DOUBLE, MPI_MAX, mpi_);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = buffer[count + i] > 0 ? std::numeric_limits<double>::quiet_NaN() : buffer[i];
}

GlobalIndex MpiCommunicator::sum_before(GlobalIndex value) const {
  GlobalIndex before = 0;
  MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, mpi_);
  return rank_ == 0 ? 0 : before;  // MPI leaves the result of the first process undefined
}

std::vector<std::string> MpiCommunicator::gather(const std::string& bytes) const {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(size_));
  const auto length = static_cast<std::int64_t>(bytes.size());
  MPI_Allgather(&length, 1, MPI_INT64_T, lengths.data(), 1, MPI_INT64_T, mpi_);
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max())
    throw NotAvailable(
        "The data of all processes, " + std::to_string(total) +
        " bytes, cannot be copied to every process, because one MPI message has at most 2 GB. Use "
        "this operation for small systems only.");

  const std::vector<int> counts(lengths.begin(), lengths.end());
  std::vector<int> offsets(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, offsets.begin() + 1);
  std::string all(static_cast<std::size_t>(total), '\0');
  MPI_Allgatherv(bytes.data(), static_cast<int>(length), MPI_BYTE, all.data(), counts.data(), offsets.data(),
                 MPI_BYTE, mpi_);
  std::vector<std::string> parts;
  for (std::size_t process = 0; process < counts.size(); ++process)
    parts.push_back(
        all.substr(static_cast<std::size_t>(offsets[process]), static_cast<std::size_t>(counts[process])));
  return parts;
}

MPI_Comm mpi_handle(const Communicator& communicator) {
  const auto* mpi = dynamic_cast<const MpiCommunicator*>(&communicator);
  return mpi ? mpi->mpi() : MPI_COMM_SELF;
}

}  // namespace halfdof
