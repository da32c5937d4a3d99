// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/excluded_loads.h>

#include <algorithm>
#include <vector>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Returns for each local assembled DoF whether it is a free DoF that the system lists as a multiplier.
template <class Engine>
std::vector<bool> listed_multipliers(const AssembledSystem<Engine>& assembled) {
  std::vector<bool> is_listed(static_cast<std::size_t>(assembled.dofs().n_local()), false);
  for (const Index i : assembled.multipliers().local())
    is_listed[static_cast<std::size_t>(i)] = true;
  for (const Index i : assembled.constrained().local())
    is_listed[static_cast<std::size_t>(i)] = false;
  return is_listed;
}

}  // namespace

template <class Engine>
Sparse excluded_loads(const ReducedSystem<Engine>& reduced) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  const std::vector<bool> is_listed = listed_multipliers(assembled);
  std::vector<Eigen::Triplet<double>> entries;
  Index n = 0;
  for (std::size_t i = 0; i < is_listed.size(); ++i)
    if (is_listed[i]) entries.emplace_back(static_cast<Index>(i), n++, 1.);
  if (const ConstrainedForm<Engine>* form = reduced.free().constraints()) {
    const std::vector<Index>& free = assembled.free().local();
    for (Index j = 0; j < form->L.outerSize(); ++j) {
      const Index n_before = n;
      for (Sparse::InnerIterator entry(form->L, j); entry; ++entry) {
        const Index dof = free[static_cast<std::size_t>(entry.row())];
        if (is_listed[static_cast<std::size_t>(dof)])
          continue;  // the DoF has a unit vector among the columns
        entries.emplace_back(dof, n_before, entry.value());
        n = n_before + 1;
      }
    }
  }
  Sparse L(assembled.dofs().n_local(), n);
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

template <class Engine>
std::string describe_excluded_loads(const ReducedSystem<Engine>& reduced) {
  constexpr Index max_named = 10;
  const Sparse L = excluded_loads(reduced);
  const Vector weights = L.cwiseAbs() * Vector::Ones(L.cols());
  std::string dofs;
  Index n = 0;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > 0 && n++ < max_named)
      dofs += (dofs.empty() ? "" : ", ") + reduced.assembled().describe(i);
  if (n == 0) return "";
  return "B, D_o and responses are valid for loads without a part in " + std::to_string(L.cols()) +
         (L.cols() == 1 ? " combination" : " combinations") + " of the equations of " + dofs +
         (n > max_named ? ", ..." : "") +
         ". A load on these equations is the right side of a constraint and would have to be differentiated.";
}

template Sparse excluded_loads(const ReducedSystem<InstantiatedEngine>&);
template std::string describe_excluded_loads(const ReducedSystem<InstantiatedEngine>&);

}  // namespace halfdof::internal
