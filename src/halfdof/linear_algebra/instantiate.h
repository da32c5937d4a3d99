// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * @file
 * The engine for which a source file instantiates its templates. The source of each algorithm is compiled
 * once into the library of each engine, and ends with explicit instantiations for `InstantiatedEngine`.
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
