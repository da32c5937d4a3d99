// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/Core>

#include <complex>
#include <cstdint>

/**
 * @file
 * The number and vector types of the whole library.
 *
 * A vector holds the entries that *this process* owns, in the order of a Partition: all entries in a
 * single process, a part of them under MPI. Algorithms therefore add, scale and copy vectors in the
 * same way on both engines; only norms and inner products use the Communicator.
 */
namespace halfdof {

/// Position within the entries that this process owns.
using Index = int;

/// Position within the whole system, over all processes (assembled or reduced, as each function says).
using GlobalIndex = std::int64_t;

using Complex = std::complex<double>;

using Vector = Eigen::VectorXd;
using ComplexVector = Eigen::VectorXcd;

/// Several vectors side by side, one column each (column-major).
template <class Scalar>
using DenseMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

using MultiVector = DenseMatrix<double>;
using ComplexMultiVector = DenseMatrix<Complex>;

/// Read-only view of one vector or of several side by side: binds to Vector, MultiVector and their blocks.
template <class Scalar>
using ConstView = const Eigen::Ref<const DenseMatrix<Scalar>>&;

/// Writable view of one vector or of several side by side.
template <class Scalar>
using View = Eigen::Ref<DenseMatrix<Scalar>>;

/** The version of the library that is linked, as "major.minor.patch". */
const char* version();

}  // namespace halfdof
