#pragma once

#include <cstddef>
#include <string>

namespace halfdof {

/// What Verification checks of a trajectory.
enum class Check {
  balance,      ///< M dv + C dq + int K q dt = int f dt + H dp over each step; in units of its largest term
  gap,          ///< g >= 0; in units of the largest displacement or gap of a contact
  penetration,  ///< g + 2 h |w| >= 0 of contacts with mass, by the largest h and |w| so far: no deeper than
                ///< what falls within a step, and the next; in units of gaps
  reaction,     ///< r in its set; so is the mean reaction dp/h of a step, impulses of located events apart
  impulse,      ///< what acted is what is shown: dp/h is on the segment between r_n and r_{n+1}, or the mean
                ///< of dense output
  kinematics,   ///< the rates w that the laws saw: mean rates of the step, or rates at its end
  law,  ///< (w, r) or (g, r) in the graph: the natural map; for contacts with impacts w_{n+1} + e w_n, too
  complementarity,  ///< g r = 0
  variational,      ///< (w - w') (r - r') <= 0 for pairs (w', r') of the law at random
  impact,           ///< at each event: w+ + e w- = 0 unless the contact leaves faster, impulse >= 0
  dissipated,  ///< by the laws: minus the work of their impulses on relative rates, since the first point
  energy,      ///< T + U + dissipated = work of loads and reactions, for symmetric M, C, K
};
constexpr std::size_t n_checks = 12;

/// "balance of momentum", ...
const char* name_of(Check check);

/// The largest violation of one equation or law along a trajectory.
struct Violation {
  double value = 0;   ///< relative, without units
  double time = 0;    ///< [s]
  std::string where;  ///< "DoF 17 (node 6, x)", "inclusion \"brake\""
};

/// The larger of both; what is not a number stays.
void keep_larger(const Violation& found, Violation& largest);

}  // namespace halfdof
