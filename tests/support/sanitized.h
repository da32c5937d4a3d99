// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/// Defined where the address sanitizer watches the memory of the tests.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HALFDOF_IS_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HALFDOF_IS_SANITIZED
#endif
