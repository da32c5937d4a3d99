// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <muParser.h>

#include <string>

namespace halfdof::internal {

/// Prepares a muParser parser for a formula in t, pi and e that has one value. @param time The variable t,
/// which has to exist as long as the parser
/// @throws InvalidInput if the formula cannot be read, assigns to a name or has several values
void read_formula(mu::Parser& parser, const std::string& formula, double& time);

}  // namespace halfdof::internal
