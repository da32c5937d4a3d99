#pragma once

#include <halfdof/base/communicator.h>

#include <mpi.h>

#include <memory>

namespace halfdof {

/**
 * The processes of an MPI communicator. Keeps the handle without duplicating it: the communicator must live
 * as long as whatever was built on it, and MPI must stay initialized that long.
 */
class MpiCommunicator : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm mpi);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  MPI_Comm mpi() const { return mpi_; }

  using Communicator::max;
  using Communicator::sum;
  void sum(double* values, int n) const override;
  void max(double* values, int n) const override;
  GlobalIndex sum_before(GlobalIndex value) const override;
  /// @throws NotAvailable if the bytes of all processes together exceed 2 GB
  std::vector<std::string> gather(const std::string& bytes) const override;

 private:
  MPI_Comm mpi_;
  int rank_ = 0;
  int size_ = 1;
};

/// The handle of an MpiCommunicator, and MPI_COMM_SELF for the single process.
MPI_Comm mpi_handle(const Communicator& communicator);

}  // namespace halfdof
