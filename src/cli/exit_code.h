// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::cli {

/// Exit codes of the program.
enum ExitCode : int {
  agreed = 0,  ///< done; where two results were compared, they agree
  falls_short =
      1,          ///< the results do not agree, an iteration did not converge, a frequency has no response, a
                  ///< simulation did not reach its end, or the reduced system lacks an eigenvalue or an
                  ///< output
  bad_input = 2,  ///< an option, a file or the request is wrong; nothing was computed
  singular = 3,   ///< the half degrees of freedom cannot be eliminated, or a matrix is singular
};

}  // namespace halfdof::cli
