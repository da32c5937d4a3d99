// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::cli {

/// The style sheet of a report, for windows from 320 pixels on and for paper.
extern const char* const page_style;

}  // namespace halfdof::cli
