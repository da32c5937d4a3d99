#pragma once

#include <halfdof/inclusions/inclusion.h>
#include <halfdof/inclusions/symmetry.h>

#include <string>
#include <vector>

namespace halfdof {

struct InclusionOutcome;

/// What is known of the solutions of a model with given initial data.
enum class WellPosedness {
  unique,     ///< there is one, and only one
  existence,  ///< there is one; others may exist
  open,       ///< no theorem that we know covers it
};

/**
 * Which result holds for a model, and what keeps it from a better one.
 *
 * | result | hypotheses |
 * |---|---|
 * | unique (Picard, Lindelöf) | every law has become single valued and Lipschitz |
 * | unique (Dumont et al. 2001, Theorem 1.1) | Filippov inclusions, each one-sided Lipschitz |
 * | unique (Bastien and Lamarque 2009, Proposition A.1) | maximal monotone: plays, sweeping, friction |
 * | unique (Moreau 1977; Edmond and Thibault 2005) | plays whose thresholds are Lipschitz functions of time |
 * | existence (Dumont et al. 2001, Theorem 1.1) | linear growth, closed convex values |
 * | existence (Paoli and Schatzman; Dumont et al. 2001, Theorem 1.2) | one smooth contact, 0 < e <= 1 |
 *
 * Set-valued laws on several directions are monotone in a common metric where M, C and K are symmetric; one
 * alone always is, by a change of metric.
 */
struct Statement {
  WellPosedness result = WellPosedness::unique;
  std::string theorem;               ///< the source, "" where none applies
  std::vector<std::string> failing;  ///< hypotheses of better results that fail, one sentence each
  std::vector<std::string> checked;  ///< what could have failed, and does not
  std::string text;                  ///< all of it, in sentences
};

/// @param outcome All but its statement.
Statement well_posedness(const InclusionOutcome& outcome, const std::vector<Inclusion>& acting,
                         Symmetry symmetry);

}  // namespace halfdof
