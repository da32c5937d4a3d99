// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Epetra_Map.h>
#include <Epetra_MultiVector.h>
#include <Epetra_Operator.h>

#include <functional>
#include <utility>

namespace halfdof::trilinos {

/// A linear operator on distributed vectors, with the interface of Epetra that the Krylov solvers of Belos
/// require.
class EpetraOperator : public Epetra_Operator {
 public:
  /// Computes y = Op x for one or several columns.
  using Product = std::function<void(const Epetra_MultiVector& x, Epetra_MultiVector& y)>;

  EpetraOperator(Epetra_Map map, Product product) : map_(std::move(map)), product_(std::move(product)) {}

  int Apply(const Epetra_MultiVector& x, Epetra_MultiVector& y) const override {
    product_(x, y);
    return 0;
  }

  int SetUseTranspose(bool) override { return -1; }
  int ApplyInverse(const Epetra_MultiVector&, Epetra_MultiVector&) const override { return -1; }
  double NormInf() const override { return 0; }
  const char* Label() const override { return "halfdof"; }
  bool UseTranspose() const override { return false; }
  bool HasNormInf() const override { return false; }
  const Epetra_Comm& Comm() const override { return map_.Comm(); }
  const Epetra_Map& OperatorDomainMap() const override { return map_; }
  const Epetra_Map& OperatorRangeMap() const override { return map_; }

 private:
  Epetra_Map map_;
  Product product_;
};

}  // namespace halfdof::trilinos
