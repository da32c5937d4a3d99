// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "python.h"

namespace halfdof::python {

/// The contact state with a name of name_of(ContactState).
ContactState contact_state_from(const std::string& name);

}  // namespace halfdof::python
