// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/distributed/tria.h>
#include <deal.II/lac/trilinos_sparsity_pattern.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include "model.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>

/// The model on several processes, and results that do not depend on the numbering.
namespace halfdof::test {

namespace tw = dealii::TrilinosWrappers;

inline MPI_Comm world() {
  return MPI_COMM_WORLD;
}

/// The model in distributed matrices.
struct DistributedMatrices {
  DistributedMatrices(const Model& model, Assembly how) {
    tw::SparsityPattern sparsity(model.owned, model.owned, model.relevant, world());
    model.make_sparsity(sparsity);
    sparsity.compress();
    for (auto* matrix : {&M, &C, &K})
      matrix->reinit(sparsity);
    f.reinit(model.owned, world());
    model.assemble(M, C, K, f, how);
  }

  tw::SparseMatrix M, C, K;
  tw::MPI::Vector f;
};

/// A field that every process can evaluate, whatever the numbering.
class Field : public dealii::Function<2> {
 public:
  explicit Field(double phase) : dealii::Function<2>(3), phase_(phase) {}
  double value(const dealii::Point<2>& p, unsigned int component) const override {
    return std::sin(p[0] + 2 * p[1] + phase_ + component);
  }

 private:
  double phase_;
};

/// Values by component and support point, from all processes: what does not depend on the numbering.
using Table = std::map<std::string, double>;

inline Table table_of(const DoFLabels& labels, const Vector& values, const Communicator& communicator) {
  std::ostringstream here;
  here.precision(17);
  for (Index i = 0; i < values.size(); ++i)
    here << labels.component_name(i) << "@" << labels.point[static_cast<std::size_t>(i)][0] << ","
         << labels.point[static_cast<std::size_t>(i)][1] << " " << values[i] << "\n";
  Table table;
  for (const std::string& bytes : communicator.gather(here.str())) {
    std::istringstream lines(bytes);
    std::string place;
    double value = 0;
    while (lines >> place >> value)
      table[place] = value;
  }
  return table;
}

/// Largest difference relative to the largest entry.
inline double difference(const Table& a, const Table& b) {
  if (a.size() != b.size()) return 1. / 0.;
  double difference = 0, scale = 0;
  for (const auto& [place, value] : b) {
    if (a.count(place) == 0) return 1. / 0.;
    difference = std::max(difference, std::abs(a.at(place) - value));
    scale = std::max(scale, std::abs(value));
  }
  return difference / scale;
}

}  // namespace halfdof::test
