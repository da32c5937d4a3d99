// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include "exit_code.h"

namespace halfdof::cli {

/// Says on standard error why two spectra do not agree, or what is not known of them, and what to do.
/// @param has_dropped Whether a null tolerance dropped columns @return agreed, or falls_short
ExitCode verdict(const SpectrumComparison& comparison, bool has_dropped);

}  // namespace halfdof::cli
