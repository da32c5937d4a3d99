// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reference.h"

using namespace halfdof;

namespace {

/// Returns E^ from its first seven rows. `upper` contains the columns of q and the column of the rate of the
/// slide; the columns of all other rates are null. The lower rows are the upper rows minus [I 0], because x^
/// = E^ x satisfies q^' = q^ - q.
MultiVector complete_matrix(const MultiVector& upper) {
  MultiVector Ehat = MultiVector::Zero(14, 14);
  Ehat.topLeftCorner(7, 7) = upper.leftCols(7);
  Ehat.col(13).head(7) = upper.col(7);
  Ehat.bottomRows(7) = Ehat.topRows(7);
  Ehat.bottomLeftCorner(7, 7) -= MultiVector::Identity(7, 7);
  return Ehat;
}

FibreReference printed_reference() {
  MultiVector twentieths(7, 8);
  twentieths << 8, 3, -1, -2, 3, -1, 2, 4,  //
      0, 25, -15, -10, 15, -5, 10, 20,      //
      0, 15, -5, -10, 15, -5, 10, 20,       //
      0, 10, -10, 0, 15, -5, 10, 20,        //
      0, 0, 0, 0, 25, -15, 10, 20,          //
      0, 0, 0, 0, 15, -5, 10, 20,           //
      0, 0, 0, 0, 10, -10, 20, 20;
  FibreReference reference;
  reference.P = {0.5, 2.75, 6, 6.5, 3.5, 0.75, 0, 0};
  reference.Ehat = complete_matrix(twentieths / 20);
  return reference;
}

FibreReference corrected_reference() {
  MultiVector thirtyfourths(7, 8);
  thirtyfourths << 16, 0, 1, -1, 0, 1, 1, 2,  //
      12, 17, -12, -5, 0, 5, 5, 10,           //
      12, 0, 5, -5, 0, 5, 5, 10,              //
      10, 0, -10, 10, 0, 7, 7, 14,            //
      6, 0, -6, 6, 17, -6, 11, 22,            //
      6, 0, -6, 6, 0, 11, 11, 22,             //
      4, 0, -4, 4, 0, -4, 30, 26;
  FibreReference reference;
  reference.P = {1, 6.25, 15.5, 20, 15, 7.25, 2.5, 0.5};
  reference.Ehat = complete_matrix(thirtyfourths / 34);
  return reference;
}

}  // namespace

FibreReference reference_of(Fibre::Stiffness stiffness) {
  return stiffness == Fibre::Stiffness::printed ? printed_reference() : corrected_reference();
}
