#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/output_map.h>
#include <halfdof/reduction/sparse_pencil.h>
#include <halfdof/reduction/transfer_errors.h>

#include <filesystem>
#include <string>
#include <vector>

namespace halfdof {

/// Which explicit form is written.
enum class StateSpaceForm : unsigned char {
  automatic,  ///< dense up to 10 MB, above it the smaller one of those available
  dense,      ///< y' = A y + B f
  pencil,     ///< E y' = A y + B f, sparse
};

struct StateSpaceFileOptions {
  StateSpaceForm form = StateSpaceForm::automatic;
  /// z = C_o y + D_o f + D_o' f'; without any, the dense form gives all displacements, if they are within the
  /// limit, and the pencil none.
  std::vector<Output> outputs;
  DenseFormOptions dense{
      1e8};  ///< limit of A, B, C_o and D_o together; as text they take two to three times as much
  SparsePencilOptions pencil;
};

/// What write_state_space() has written.
struct WrittenStateSpace {
  StateSpaceForm form;  ///< dense or pencil
  std::vector<Output> outputs;
  TransferErrors errors;  ///< of the written matrices; one for each output
};

/**
 * Writes the reduced system into a folder, for other programs:
 *
 * | file | what |
 * |---|---|
 * | `A.mtx`, `B.mtx`, and `E.mtx` of a pencil | the state-space form |
 * | `C_o.mtx`, `D_o.mtx`, `D_o_rate.mtx` | the output equation; the last only where f' is needed |
 * | `S.mtx`, `X.mtx` | q = S p and p = X^T q, where the states are coordinates p instead of DoFs |
 * | `L.mtx` | B and D_o hold for loads with L^T f = 0: only where left_out_loads() has any |
 * | `inertial.txt`, `viscous.txt`, `algebraic.txt`, `constrained.txt` | the selections: 0-based DoFs |
 * | `states.csv`, `outputs.csv` | what each state and each output is, and the TransferErrors of each output |
 * | `transfer_errors.csv` | the TransferErrors at all places |
 * | `state_space.mat` | all of it for MATLAB, the selections as matrices J_I, J_C, J_K (n_dofs x N) |
 * | `README.md` | the equations with their shapes, and the order of the states |
 *
 * Dense matrices are in array layout, sparse ones in coordinate layout. The folder is made if need be; the
 * files of an earlier run are removed first, all others are left alone. `README.md` is written last, so that
 * a folder with it is complete.
 *
 * @throws NotAvailable if the form asked for is not available, or neither is. InvalidInput as OutputMap;
 * FileError as check_state_space_folder(), or if the folder or a file cannot be written.
 */
WrittenStateSpace write_state_space(const std::filesystem::path& folder,
                                    const ReducedSystem<EigenEngine>& reduced,
                                    const StateSpaceFileOptions& options = {});

/// All files that write_state_space() may leave in its folder.
const std::vector<std::string>& state_space_file_names();

/// Looks for files of these names that are not of an earlier run, which is known by the first line of its
/// README.md and by the names in it. @throws FileError if there are any
void check_state_space_folder(const std::filesystem::path& folder);

}  // namespace halfdof
