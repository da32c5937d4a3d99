// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * @file
 * The engine for which a translation unit instantiates its algorithms. Each algorithm's source is compiled
 * once into the library of each engine and ends in explicit instantiations for `InstantiatedEngine`.
 */
#ifdef HALFDOF_INSTANTIATE_TRILINOS
#include <halfdof/linear_algebra/trilinos/engine.h>
namespace halfdof::internal {
using InstantiatedEngine = TrilinosEngine;
}
#else
#include <halfdof/linear_algebra/eigen/engine.h>
namespace halfdof::internal {
using InstantiatedEngine = EigenEngine;
}
#endif
