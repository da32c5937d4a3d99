#pragma once

#include <Eigen/Core>

#include <qd/dd_real.h>
#include <qd/qd_real.h>

/**
 * @file
 * Numbers of 32 and 64 digits of the QD library (Hida, Li, Bailey) as scalars of Eigen's matrices. Internal:
 * QD
 * appears in the sources of this folder only.
 */
namespace halfdof {

using DoubleDouble = dd_real;
using QuadDouble = qd_real;

/// What Eigen asks of a scalar.
template <class Real>
struct LongNumberTraits : Eigen::GenericNumTraits<Real> {
  using NonInteger = Real;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 20,
    MulCost = 20
  };
  static Real epsilon() { return Real(Real::_eps); }
  static Real dummy_precision() { return Real(1e4 * Real::_eps); }
  static Real highest() { return Real::_max; }
  static Real lowest() { return -Real::_max; }
  static int digits10() { return Real::_ndigits; }
};

}  // namespace halfdof

namespace Eigen {
template <>
struct NumTraits<dd_real> : halfdof::LongNumberTraits<dd_real> {};
template <>
struct NumTraits<qd_real> : halfdof::LongNumberTraits<qd_real> {};
}  // namespace Eigen
