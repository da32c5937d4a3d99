// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/Core>

#include <qd/dd_real.h>

/**
 * @file
 * The floating-point numbers of 32 decimal digits of the QD library (Hida, Li, Bailey), as scalars of Eigen's
 * matrices. Only the sources of this folder use QD.
 */
namespace halfdof::internal {

using DoubleDouble = dd_real;

}  // namespace halfdof::internal

namespace Eigen {
template <>
struct NumTraits<dd_real> : GenericNumTraits<dd_real> {
  using NonInteger = dd_real;
  using Nested = dd_real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 20,
    MulCost = 20
  };
  static dd_real epsilon() { return dd_real(dd_real::_eps); }
  static dd_real dummy_precision() { return dd_real(1e4 * dd_real::_eps); }
  static dd_real highest() { return dd_real::_max; }
  static dd_real lowest() { return -dd_real::_max; }
  static int digits10() { return dd_real::_ndigits; }
};
}  // namespace Eigen
