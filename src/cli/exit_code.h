#pragma once

namespace halfdof::cli {

/// What the program hands back to the shell.
enum ExitCode : int {
  agreed = 0,       ///< done; where two results were compared, they agree
  falls_short = 1,  ///< done, but the results do not agree, or an iteration did not converge
  bad_input = 2,    ///< an option, a file or the request is wrong; nothing was computed
  singular = 3,     ///< the half degrees of freedom cannot be eliminated, or a matrix is singular
};

}  // namespace halfdof::cli
