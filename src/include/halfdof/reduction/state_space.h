// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Options of dense forms, which are for small systems; a larger form is an error unless the limit is raised.
struct DenseFormOptions {
  double max_bytes = 5e8;  ///< memory of one dense matrix [bytes]; the default admits 7905 states
};

/// Thrown if a requested result exceeds a size limit that can be raised.
class BeyondLimit : public NotAvailable {
 public:
  using NotAvailable::NotAvailable;
};

/**
 * @file
 * Explicit matrices of the state-space form (Simionatto et al., Eqs. (2), (31), (32)):
 * @f[ \dot y = A y + B f, \qquad
 *     A = \begin{bmatrix} 0 & 0 & I \\ -\alpha K J_I & -\alpha K J_C & -\alpha C J_I \\
 *         -\gamma K J_I & -\gamma K J_C & -\gamma C J_I \end{bmatrix}, \qquad
 *     B = \begin{bmatrix} 0 \\ \alpha \\ \gamma \end{bmatrix}, @f]
 * with @f$\gamma = J_I^T D^{-1}@f$, @f$\alpha = J_C^T D^{-1}@f$ and @f$\kappa = J_K^T D^{-1}@f$ the row
 * blocks of the inverse of the mixed-column matrix D; the algebraic DoFs follow from
 * @f$ q_K = \kappa (f - C J_I v_I - K J_I q_I - K J_C q_C) @f$. A costs N_s solves with D, each other matrix
 * one solve with D^T for each of its rows.
 *
 * Shapes: A is N_s x N_s. B (N_s x n_dofs), gamma, alpha and kappa (N_I, N_C, N_K x n_dofs) have one column
 * for each *assembled* DoF; columns of constrained DoFs are zero. Rows: the states are numbered as in
 * ReducedSystem::states(), DoFs of one kind by ascending assembled index (under MPI by rank first). Under MPI
 * every process receives the whole matrix. Units: those of the assembled system. Collective.
 */

/// Computes A. @throws NotAvailable if it needs more than options.max_bytes.
template <class Engine>
MultiVector dense_state_matrix(const ReducedSystem<Engine>& reduced, const DenseFormOptions& options = {});

/// Computes B. @throws NotAvailable if it needs more than options.max_bytes.
template <class Engine>
MultiVector dense_input_matrix(const ReducedSystem<Engine>& reduced, const DenseFormOptions& options = {});

/// Computes the row block of @f$D^{-1}@f$ for one kind of DoFs: gamma (inertial), alpha (viscous), kappa
/// (algebraic). @throws NotAvailable as above; InvalidInput for constrained DoFs, which have no rows.
template <class Engine>
MultiVector dense_inverse_rows(const ReducedSystem<Engine>& reduced, DoFKind kind,
                               const DenseFormOptions& options = {});

/// The form E y' = A y + B f with three sparse matrices, E regular. Shapes: E and A N_s x N_s, B N_s x
/// n_dofs.
struct SparsePencil {
  EigenMatrix E, A, B;
  /// Upper bound of the number of nonzero entries of E and A, relative to the columns of M, C and K from
  /// which they are formed.
  double fill = 1;
};

struct SparsePencilOptions {
  double max_fill = 3;  ///< an elimination with a larger predicted fill is refused
};

/**
 * Computes the reduced system as a sparse generalized state-space form. Without algebraic DoFs it is a
 * rearrangement of the assembled columns, for y = (q_I, q_C, v_I):
 * @f[ \begin{bmatrix} I & & \\ & C J_C & M J_I \end{bmatrix} \dot y =
 *     \begin{bmatrix} & & I \\ -K J_I & -K J_C & -C J_I \end{bmatrix} y + \begin{bmatrix} 0 \\ f
 * \end{bmatrix}. @f]
 * The rows are ordered as kinematic, viscous, inertial, so that E is the identity bordered by
 * @f$[C_{CC}, M_{CI}; C_{IC}, M_{II}]@f$. Algebraic DoFs are eliminated from it with as many rows e, in which
 * their stiffness is regular: their own rows, or if these are singular, the pivot rows of an LU factorization
 * of @f$ K J_K @f$ (pivot_rows()). From every other row r, @f$ G \times @f$ (the rows e) is subtracted, with
 * @f$ G = K_{rK} K_{eK}^{-1} @f$. The result is sparse only if K_eK is block diagonal with small blocks (a
 * massless joint, a hinge). The fill is predicted from the patterns before anything is computed: a block of b
 * DoFs with entries of their columns in s other rows and entries of their rows in t state columns adds at
 * most b^2 + s (b + t) entries. A connected region of algebraic DoFs (an electric potential) would give full
 * matrices; then use the operator form, which remains sparse.
 *
 * For one process. Numbering: columns as ReducedSystem::states(), and so are the rows if algebraic DoFs are
 * eliminated by their own rows; columns of B are assembled DoFs, zero for constrained ones. Units: those of
 * the assembled system.
 *
 * @throws BeyondLimit if the predicted fill is above the limit
 * @throws NotAvailable if both choices of rows are singular up to rounding; the message names some DoFs
 */
SparsePencil sparse_pencil(const ReducedSystem<EigenEngine>& reduced,
                           const SparsePencilOptions& options = {});

/// The outputs available at one assembled DoF. A reaction exists only at constrained DoFs.
enum class OutputQuantity : unsigned char { displacement, rate, acceleration, reaction };

/// Returns the lower-case name that the program prints and reads.
const char* name_of(OutputQuantity quantity);

struct Output {
  OutputQuantity quantity = OutputQuantity::displacement;
  GlobalIndex dof = 0;  ///< assembled index
};

/// Describes an output, such as "displacement of DoF 3".
std::string describe(const Output& output);

/// Weights of this process's states, loads and prescribed motion in the outputs: one column for each output.
struct OutputWeights {
  MultiVector states;                     ///< C_o^T, local states
  MultiVector loads;                      ///< D_o^T, local assembled DoFs
  MultiVector load_rates;                 ///< D_o'^T; empty if no output needs f'
  std::array<MultiVector, 3> prescribed;  ///< weights of q_D, q_D' and q_D'', local constrained DoFs
  MultiVector free_loads;                 ///< weights of F, the load on the local free DoFs
  MultiVector direct_loads;     ///< weights of loads that act on reactions and multipliers directly, not by F
  MultiVector free_load_rates;  ///< weights of F'; empty if no output needs F'
  std::array<MultiVector, 3> offset;  ///< weights of the offset o of constraints and of o' and o'', local
                                      ///< free DoFs
};

/**
 * The output equation of the state-space form (Simionatto et al., Eq. (2)) for chosen outputs,
 * @f[ z = C_o y + D_o f + D_o' f' + z_D(t), @f]
 * where f is the load on all assembled DoFs and z_D the contribution of the prescribed motion and of
 * time-dependent constraints. Outputs that are states need no solve (zero feed-through). Algebraic
 * displacements, viscous rates and inertial accelerations are rows of
 * @f[ x = (a_I;\ \dot q_C;\ q_K) = D^{-1}(F - C J_I v_I - K J_I q_I - K J_C q_C) @f]
 * and have feed-through. Algebraic rates and viscous accelerations are rows of
 * @f[ \dot x = D^{-1}(\dot F - C J_I a_I - K J_I v_I - K J_C \dot q_C) @f]
 * and also need the rate of the load. Algebraic accelerations would need its second derivative; they are not
 * available. The reaction of a constrained DoF is its support force,
 * @f[ r_D = M_{Df} \ddot q_f + C_{Df} \dot q_f + K_{Df} q_f + M_{DD} \ddot q_D + C_{DD} \dot q_D + K_{DD} q_D
 * - f_D,
 * @f]
 * computed from the assembled rows of constrained DoFs. These must be the original rows: finite-element
 * libraries often clear them to impose the constraint, and then the result is an arbitrary diagonal value
 * times the prescribed motion, which is not the reaction. The displacement of a DoF that is a multiplier of
 * constraints is the multiplier, @f$ N \mu @f$ with
 * @f[ K_{ff} N \mu = f_f - M_{ff} \ddot q_f - C_{ff} \dot q_f - K_{ff} q_f @f]
 * (and the terms of q_D), where q_f is the motion without multipliers. If several sets of multipliers satisfy
 * this, the one of least norm is taken; each multiplier is weighted by the norm of its force in units of
 * unit_factors(), as in ReducedSystem::lift().
 *
 * A is not formed: each output that is not a state costs one solve with D^T, in batches. Loads F on the free
 * DoFs include the contribution of the prescribed motion. Shapes: C_o is n_outputs() x n_states(), D_o and
 * D_o' n_outputs() x n_dofs. Weights are distributed over the processes; matrices are whole on every process.
 * Collective.
 *
 * @throws InvalidInput if an index is out of range, a reaction of a free DoF is asked for, or a prescribed
 * motion that the outputs need was not given
 * @throws NotAvailable if an output needs a higher derivative than f', or is the rate or acceleration of a
 * multiplier; or if a matrix is larger than the dense limit
 */
template <class Engine>
class OutputMap {
 public:
  OutputMap(const ReducedSystem<Engine>& reduced, std::vector<Output> outputs,
            const DenseFormOptions& options = {});

  Index n_outputs() const { return static_cast<Index>(outputs_.size()); }
  const std::vector<Output>& outputs() const { return outputs_; }
  /// The columns of C_o^T, D_o^T and D_o'^T on this process.
  const OutputWeights& weights() const { return weights_; }
  /// Returns whether some output needs f'(t).
  bool needs_load_rate() const { return weights_.load_rates.cols() > 0; }

  /// Computes z at a state. With a StateForce, z is that of the nonlinear equations, while the matrices are
  /// those of the tangents; if f' is needed, this costs a factorization. @throws NotAvailable if f' is
  /// needed, but the system has no rate of its load.
  Vector evaluate(const State& state) const;

  /// C_o, the output matrix.
  MultiVector state_matrix() const;
  /// D_o, the feed-through; -1 where the load on a constrained DoF acts on its own reaction.
  MultiVector feed_through() const;
  /// D_o', the feed-through of f'; zero unless needs_load_rate().
  MultiVector rate_feed_through() const;

 private:
  ReducedSystem<Engine> reduced_;
  std::vector<Output> outputs_;
  DenseFormOptions options_;
  OutputWeights weights_;
};

/// The explicit matrix form of the state equation that is written to files.
enum class StateSpaceForm : unsigned char {
  automatic,  ///< dense up to 10 MB, otherwise the smaller one of the available forms
  dense,      ///< y' = A y + B f
  pencil,     ///< E y' = A y + B f, sparse
};

/// Additional file formats of the state-space form; the Matrix Market and MATLAB files are always
/// written.
enum class StateSpaceFormat : unsigned char {
  abcde,   ///< state_space.A, .B, .C, .D and .E in Matrix Market format, as pyMOR reads them
  npz,     ///< state_space.npz for NumPy: arrays, and sparse matrices by the arrays of scipy.sparse.save_npz
  octave,  ///< state_space.m, a script for Octave that loads state_space.mat and checks sizes and eigenvalues
};

struct StateSpaceFileOptions {
  StateSpaceForm form = StateSpaceForm::automatic;
  /// Outputs of z = C_o y + D_o f + D_o' f'. If no outputs are given, the dense form writes all
  /// displacements if these are within the limit, and the pencil has no outputs.
  std::vector<Output> outputs;
  /// Limit of the memory for A, B, C_o and D_o together; text files of these matrices are two to three times
  /// as large.
  DenseFormOptions dense{1e8};
  SparsePencilOptions pencil;
  std::vector<StateSpaceFormat> formats;  ///< additional file formats to write
};

/// Relative error up to which a transfer function counts as accurate.
constexpr double transfer_accuracy = 1e-6;

/// Errors of the transfer functions of a state-space form, compared with those of the model. For each output,
/// the error is given at the value of s, among those compared, where it is largest relative to `largest`.
struct TransferErrors {
  Vector s;                  ///< value of s for each output [1/s], real and positive
  Vector largest;            ///< max_j |H_oj(s)| of the model, whatever the units of the loads j
  Vector error;              ///< maximum over j of the modulus of the difference
  std::string not_compared;  ///< why largest and error are NaN; empty if they were computed

  /// The errors of all outputs at one value of s.
  struct Place {
    double s;
    Vector largest, error;
  };
  std::vector<Place> places;  ///< all values of s that were compared

  /// An output with a wrong transfer function. For some load the error exceeds transfer_accuracy times
  /// `size`, 1e4 times the effect of rounding the entries of M, C and K, and 16 n times the effect of
  /// rounding the entries of the form, where n is the number of free DoFs.
  struct Lost {
    Index output;
    double s;      ///< where error / size is largest [1/s]
    double error;  ///< in the unit of the output per load
    /// The magnitude of the output if all its DoFs moved as far as the largest displacement under the load:
    /// @f$ |c|^T u\, \max_j |x_j| / u_j @f$ with x = P(s)^{-1} f and u the column scales of TermScales
    double size;
  };
  std::vector<Lost> lost;  ///< one entry for each such output; empty if a null tolerance dropped columns

  /// Two values of s between which det (s E - A) / det P(s) changes.
  struct LostEigenvalues {
    double s, other_s;  ///< [1/s]
    double factor;      ///< the change that rounding does not explain, at least one
  };
  /// Set if det(s E - A) / det P(s) changes between two of the compared values of s by more than 1 % beyond
  /// what rounding is allowed to change: then the eigenvalues of the form are not those of the model.
  /// Rounding is allowed to change the logarithm of this ratio by 1e4 times the effect of rounding the
  /// entries of M, C and K plus 16 n times the effect of rounding the entries of the form, where n is the
  /// number of DoFs. For more than 1000 DoFs these effects are not computed, and 0.25 is allowed (a factor
  /// of 1.28).
  std::optional<LostEigenvalues> lost_eigenvalues;
};

/// The result of write_state_space().
struct WrittenStateSpace {
  StateSpaceForm form;  ///< dense or pencil
  std::vector<Output> outputs;
  TransferErrors errors;  ///< errors of the transfer functions of the written matrices, for each output
};

/**
 * Writes the reduced system into a folder, for other programs:
 *
 * | file | content |
 * |---|---|
 * | `A.mtx`, `B.mtx`, and `E.mtx` of a pencil | the state-space form |
 * | `C_o.mtx`, `D_o.mtx`, `D_o_rate.mtx` | the output equation; the last one only if f' is needed |
 * | `S.mtx`, `X.mtx` | q = S p and p = X^T q, if the states are coordinates p instead of DoFs |
 * | `L.mtx` | B and D_o are valid for loads with L^T f = 0; only if excluded_loads() has columns |
 * | `inertial.txt`, `viscous.txt`, `algebraic.txt`, `constrained.txt` | the selections: 0-based DoFs |
 * | `states.csv`, `outputs.csv` | each state and each output, and the TransferErrors of each output |
 * | `transfer_errors.csv` | the TransferErrors at all values of s |
 * | `state_space.mat` | all of these for MATLAB, the selections as matrices J_I, J_C, J_K (n_dofs x N) |
 * | `state_space.A`, ..., `.npz`, `.m` | StateSpaceFileOptions::formats |
 * | `README.md` | the equations with their shapes, and the order of the states |
 *
 * Dense matrices are in array layout, sparse ones in coordinate layout. The folder is created if it does not
 * exist. The files of an earlier run are removed first; other files are not touched. `README.md` is written
 * last, so that a folder with this file is complete.
 *
 * @throws NotAvailable if the form asked for, or every form, is not available, or a format cannot hold it.
 * InvalidInput as OutputMap; FileError as check_state_space_folder(), or if the folder or a file cannot be
 * written.
 */
WrittenStateSpace write_state_space(const std::filesystem::path& folder,
                                    const ReducedSystem<EigenEngine>& reduced,
                                    const StateSpaceFileOptions& options = {});

/// Returns the largest error relative to the largest transfer function of its output; infinite if an error
/// was not computed.
double largest_relative_error(const TransferErrors& errors);

/// Describes the members lost and lost_eigenvalues in sentences, with a description of the worst
/// output; returns an empty text if both are empty.
std::string describe_lost(const TransferErrors& errors, const std::vector<Output>& outputs);

/// Returns the outputs whose error exceeds this fraction of their largest transfer function.
std::vector<Index> inaccurate_outputs(const TransferErrors& errors, double relative_error);

/// Names of all files that write_state_space() may write.
const std::vector<std::string>& state_space_file_names();

/// Checks that no file with one of these names would be overwritten, except those of an earlier run. A file
/// is from an earlier run if the first line of README.md is that of this program and README.md contains its
/// name.
/// @throws FileError if there are other files
void check_state_space_folder(const std::filesystem::path& folder);

}  // namespace halfdof
