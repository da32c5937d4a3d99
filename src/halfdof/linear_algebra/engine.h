#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/factorization.h>

#include <Eigen/SparseCore>

#include <functional>

/**
 * @file
 * The engine concept: all that an algorithm may ask of a sparse-matrix package.
 *
 * Every algorithm is a template over `Engine` and is written once; EigenEngine (one machine, Eigen and
 * SuiteSparse) and TrilinosEngine (MPI, Epetra and MUMPS) provide
 *
 * - `Matrix`: a sparse real matrix, constant and cheap to copy: `rows()`, `columns()` (Partition),
 *   `n_local_entries()`, `add_product(alpha, x, y)` (y += alpha A x), `add_transposed_product(alpha, x, y)`;
 * - `Pencil`: P(a, b, c) = a M + b C + c K over one pattern: `factorize(a, b, c)` for double and for Complex;
 *   one symbolic analysis serves all;
 * - `column_norms(A)`, `row_norms(A)`: 1-norm of each owned column or row, by values and not by stored
 *   pattern; `column_norms(A, rows)`: of what columns hold in some owned rows of every process;
 *   `scaled_norms(A, r, c)`: both of the matrix (r_i c_j) a_ij, which is not formed;
 * - `find_non_finite(A)`: the first NaN or infinite entry in numbering order;
 * - `select_columns(M, C, K, source)`: column j of M, C or K as source[j] says, without stored zeros;
 * - `submatrix(A, rows, columns)`: J_r^T A J_c, without stored zeros; where that is A, it shares the entries;
 * - `row_blocks(A, rows, columns)`: the same for each of several selections of rows that share none, by one
 *   reading of the columns;
 * - `triple_product(T, A, S)`: T^T A S, without stored zeros;
 * - `asymmetry(A)`: largest of \|a_ij - a_ji\| / sqrt(column norm i * column norm j);
 * - `from_rows(owned, rows, columns)`, `diagonal(d, partition)`, `sum(alpha, A, beta, B)`, `scaled(A, r, c)`
 *   ((r_i c_j) a_ij, so that what is symmetric stays so exactly where r = c): builders;
 * - `to_rows(A)`: the OwnedRows of a matrix, the inverse of `from_rows`;
 * - `factorize(A, options)`: a Factorization<double>; throws SingularMatrix;
 * - `factorize_definite(A)`: the same, nothing where A was not found to be symmetric and positive definite,
 *   by Cholesky or conjugate gradients: how definiteness is decided;
 * - `to_dense(A)`: all of A on every process, for small systems.
 *
 * Matrices, partitions and vectors of one system share one Communicator. Functions are collective.
 */
namespace halfdof {

/// Which matrix a column of D comes from.
enum class ColumnSource : unsigned char { mass, damping, stiffness };

/// The rows of one process, one after the other in the order of their Partition; columns in global numbering.
using OwnedRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// A NaN or infinite entry.
struct NonFiniteEntry {
  GlobalIndex row = -1;
  GlobalIndex column = -1;
  double value = 0;
};

/// 1-norms of the owned rows and columns of a matrix.
struct LineNorms {
  Vector rows, columns;
};

/// y = Op x for one vector of local entries; collective.
using LinearOperator = std::function<Vector(const Vector& x)>;

}  // namespace halfdof
