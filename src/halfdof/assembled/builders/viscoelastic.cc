// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/assembled/rigid_modes.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Returns the mean of the row norm and the column norm of K_p for each DoF.
template <class Engine>
Vector row_and_column_norms(const typename Engine::Matrix& K_p) {
  return 0.5 * (Engine::row_norms(K_p) + Engine::column_norms(K_p));
}

/// Returns the free DoFs in whose rows or columns K_p has nonzero entries.
template <class Engine>
std::vector<Index> free_dofs_of_part(const typename Engine::Matrix& K_p,
                                     const std::vector<Index>& constrained) {
  const Vector norms = row_and_column_norms<Engine>(K_p);
  std::vector<bool> has_entries(static_cast<std::size_t>(norms.size()));
  for (Index i = 0; i < norms.size(); ++i)
    has_entries[static_cast<std::size_t>(i)] = norms[i] > 0;
  for (const Index i : constrained)
    has_entries[static_cast<std::size_t>(i)] = false;
  std::vector<Index> dofs;
  for (Index i = 0; i < norms.size(); ++i)
    if (has_entries[static_cast<std::size_t>(i)]) dofs.push_back(i);
  return dofs;
}

template <class Engine>
void check_size(const typename Engine::Matrix& K_p, const Partition& dofs) {
  if (K_p.rows().n_global() != dofs.n_global() || K_p.columns().n_global() != dofs.n_global())
    throw InvalidInput("The stiffness of a viscoelastic part is " + std::to_string(K_p.rows().n_global()) +
                       " x " + std::to_string(K_p.columns().n_global()) + ", but the system has " +
                       std::to_string(dofs.n_global()) +
                       " degrees of freedom. Assemble the contribution of the part to the stiffness "
                       "matrix over all degrees of freedom.");
}

/// Computes the rigid motions of a part in symmetric form, for each of which one internal DoF is omitted. In
/// local form the result is empty.
template <class Engine>
RigidModes omitted_rigid_motions(const typename Engine::Matrix& K_p, BranchForm form) {
  if (form == BranchForm::local) return {MultiVector(K_p.rows().n_local(), 0), {}, {}};
  if (Engine::asymmetry(K_p) > 1e-10)
    throw InvalidInput(
        "The stiffness of a viscoelastic part is not symmetric, but BranchForm::symmetric needs a symmetric "
        "stiffness. Give only the symmetric stiffness of the material, or use BranchForm::local.");
  return rigid_modes<Engine>(K_p);
}

/// A viscoelastic part after checks, with its internal DoFs.
template <class Engine>
struct PreparedPart {
  typename Engine::Matrix K_p;  ///< stiffness of the part on its parent DoFs
  PronySeries series;
  BranchForm form;
  InternalDoFs dofs;
  std::vector<bool> is_fixed;  ///< for each parent, whether its internal DoFs are omitted

  Index n_internal() const { return static_cast<Index>(dofs.parents.size() - dofs.rigid->fixed.size()); }
};

template <class Engine>
PreparedPart<Engine> prepare(const SystemDescription<Engine>& description,
                             const ViscoelasticPart<Engine>& part) {
  check_series(part.series);
  check_size<Engine>(part.stiffness, description.stiffness.rows());
  const Partition& dofs = description.stiffness.rows();
  std::vector<Index> constrained = description.constrained;
  std::sort(constrained.begin(), constrained.end());
  const Selection parents(free_dofs_of_part<Engine>(part.stiffness, constrained), dofs);
  if (parents.n_global() == 0)
    throw InvalidInput(
        "The stiffness of a viscoelastic part is zero on all degrees of freedom that are not constrained. "
        "Check the material number that selects the cells of the part.");
  const auto to_constrained =
      Engine::submatrix(part.stiffness, parents, Selection(std::move(constrained), dofs));
  if (dofs.communicator().any(description.prescribed.value && to_constrained.n_local_entries() > 0))
    throw NotAvailable(
        "The stiffness of a viscoelastic part couples free degrees of freedom to constrained ones whose "
        "motion is prescribed, but constrained degrees of freedom have no internal variables. Insert a layer "
        "of elastic cells at the moving support, or keep the constrained degrees of freedom at rest.");

  PreparedPart<Engine> prepared{
      Engine::submatrix(part.stiffness, parents, parents), part.series, part.form, {}, {}};
  prepared.dofs = {parents.local(),
                   std::make_shared<const RigidModes>(omitted_rigid_motions<Engine>(prepared.K_p, part.form)),
                   part.series.size()};
  prepared.is_fixed.assign(parents.local().size(), false);
  for (const Index i : prepared.dofs.rigid->fixed)
    prepared.is_fixed[static_cast<std::size_t>(i)] = true;
  return prepared;
}

/// Returns the matrix that maps the displacements of all DoFs to parent * u + internal * z_i on the parent
/// DoFs, where the branch i begins at the local DoF `first_internal`.
template <class Engine>
typename Engine::Matrix selector(const PreparedPart<Engine>& part, const Partition& dofs,
                                 Index first_internal, double parent, double internal) {
  const Partition& rows = part.K_p.rows();
  std::vector<Eigen::Triplet<double, Index>> entries;
  Index next = first_internal;
  for (Index i = 0; i < rows.n_local(); ++i) {
    const auto position = static_cast<std::size_t>(i);
    if (parent != 0.)
      entries.emplace_back(i, static_cast<Index>(dofs.global_index(part.dofs.parents[position])), parent);
    if (!part.is_fixed[position]) {
      if (internal != 0.) entries.emplace_back(i, static_cast<Index>(dofs.global_index(next)), internal);
      ++next;
    }
  }
  OwnedRows owned(rows.n_local(), dofs.n_global());
  owned.setFromTriplets(entries.begin(), entries.end());
  return Engine::from_rows(owned, rows, dofs);
}

/// Adds the stiffness and the damping of one branch to K and C.
template <class Engine>
void add_branch(const PreparedPart<Engine>& part, const PronyTerm& term, Index first_internal,
                typename Engine::Matrix& K, typename Engine::Matrix& C) {
  using Matrix = typename Engine::Matrix;
  const Partition dofs = K.rows();
  const auto add = [](double factor, const Matrix& left, const Matrix& A, const Matrix& right,
                      Matrix& target) {
    target = Engine::sum(1., target, factor, Engine::triple_product(left, A, right));
  };
  const Matrix u = selector<Engine>(part, dofs, first_internal, 1., 0.);
  const Matrix z = selector<Engine>(part, dofs, first_internal, 0., 1.);
  const Matrix stretch = selector<Engine>(part, dofs, first_internal, 1., -1.);  // u - z_i
  const Matrix weight = part.form == BranchForm::symmetric
                            ? part.K_p
                            : Engine::diagonal(row_and_column_norms<Engine>(part.K_p), part.K_p.rows());
  add(term.g, u, part.K_p, stretch, K);
  add(-term.g, z, weight, stretch, K);
  add(term.g * term.tau, z, weight, z, C);
}

/// Appends the labels of the internal DoFs to the labels of the assembled DoFs. All processes get the same
/// component names, whether or not they have internal DoFs. Collective.
template <class Engine>
class LabelWriter {
 public:
  LabelWriter(DoFLabels labels, const Partition& assembled, const std::vector<PreparedPart<Engine>>& parts)
      : labels_(std::move(labels)) {
    if (!assembled.communicator().any(!labels_.component.empty())) {
      labels_.component_names = {"assembled"};
      labels_.component.assign(static_cast<std::size_t>(assembled.n_local()), 0);
    }
    n_components_ = static_cast<std::size_t>(
        assembled.communicator().max(static_cast<double>(labels_.component_names.size())));
    labels_.component_names.resize(n_components_);
    name_branches(assembled.communicator(), parts);
  }

  void add(Index parent, std::size_t branch) {
    const auto p = static_cast<std::size_t>(parent);
    labels_.component.push_back(component_[position_of(labels_.component[p], branch)]);
    if (!labels_.node.empty()) labels_.node.push_back(labels_.node[p]);
    if (!labels_.point.empty()) labels_.point.push_back(labels_.point[p]);
    if (!labels_.constraint.empty()) labels_.constraint.push_back(-1);
  }

  DoFLabels finish() { return std::move(labels_); }

 private:
  std::size_t position_of(Index of_parent, std::size_t branch) const {
    return branch * n_components_ + static_cast<std::size_t>(of_parent);
  }

  /// Appends a name for each branch of a component that has internal DoFs on any process.
  void name_branches(const Communicator& communicator, const std::vector<PreparedPart<Engine>>& parts) {
    std::size_t n_branches = 0;
    for (const auto& part : parts)
      n_branches = std::max(n_branches, part.series.size());
    std::vector<double> exists(n_branches * n_components_, 0.);
    for (const auto& part : parts)
      for (std::size_t p = 0; p < part.dofs.parents.size(); ++p)
        for (std::size_t branch = 0; !part.is_fixed[p] && branch < part.series.size(); ++branch)
          exists[position_of(labels_.component[static_cast<std::size_t>(part.dofs.parents[p])], branch)] = 1;
    communicator.max(exists.data(), static_cast<int>(exists.size()));

    component_.resize(exists.size());
    for (std::size_t i = 0; i < exists.size(); ++i) {
      component_[i] = static_cast<Index>(labels_.component_names.size());
      if (exists[i] > 0)
        labels_.component_names.push_back(labels_.component_names[i % n_components_] + ", branch " +
                                          std::to_string(i / n_components_ + 1));
    }
  }

  DoFLabels labels_;
  std::size_t n_components_ = 0;
  std::vector<Index>
      component_;  ///< component of each pair (component, branch), in the order of position_of()
};

}  // namespace

void check_series(const PronySeries& series) {
  if (series.empty())
    throw InvalidInput(
        "A Prony series without terms describes an elastic material. Give one "
        "pair (g, tau) for each branch.");
  for (std::size_t i = 0; i < series.size(); ++i)
    for (const double value : {series[i].g, series[i].tau})
      if (!(value > 0) || !std::isfinite(value))
        throw InvalidInput("Term " + std::to_string(i + 1) + " of the Prony series is g = " +
                           number_text(series[i].g) + ", tau = " + number_text(series[i].tau) +
                           " s. Both must be positive and finite: g is the stiffness of the branch "
                           "relative to the long-term stiffness.");
}

Vector InternalDoFs::relaxed(const Vector& u, const Communicator& communicator) const {
  const Vector u_p = u(parents);
  Vector rigid_motion = Vector::Zero(rigid->basis.cols());
  for (std::size_t i = 0; i < rigid->fixed.size(); ++i)
    rigid_motion[rigid->mode[i]] = u_p[rigid->fixed[i]];
  communicator.sum(rigid_motion.data(), static_cast<int>(rigid_motion.size()));
  const Vector z_p = u_p - rigid->basis * rigid_motion;

  std::vector<Index> kept(parents.size());
  std::iota(kept.begin(), kept.end(), 0);
  const auto is_fixed = [&](Index i) {
    return std::find(rigid->fixed.begin(), rigid->fixed.end(), i) != rigid->fixed.end();
  };
  kept.erase(std::remove_if(kept.begin(), kept.end(), is_fixed), kept.end());
  return z_p(kept).replicate(static_cast<Eigen::Index>(n_branches), 1);
}

template <class Engine>
ViscoelasticDescription<Engine> with_viscoelastic_branches(
    const SystemDescription<Engine>& description, const std::vector<ViscoelasticPart<Engine>>& parts) {
  std::vector<PreparedPart<Engine>> prepared;
  Index n_internal = 0;
  for (const auto& part : parts) {
    prepared.push_back(prepare(description, part));
    n_internal += prepared.back().n_internal() * static_cast<Index>(part.series.size());
  }
  SystemDescription<Engine> unlabelled = description;
  unlabelled.labels = {};
  ViscoelasticDescription<Engine> result{with_new_dofs(unlabelled, n_internal, {}), {}};
  SystemDescription<Engine>& large = result.description;
  auto C = large.damping
               ? *large.damping
               : Engine::diagonal(Vector::Zero(large.stiffness.rows().n_local()), large.stiffness.rows());

  Index next = description.stiffness.rows().n_local();
  LabelWriter<Engine> labels(description.labels, description.stiffness.rows(), prepared);
  for (const auto& part : prepared) {
    for (std::size_t i = 0; i < part.series.size(); ++i) {
      add_branch(part, part.series[i], next, large.stiffness, C);
      for (std::size_t p = 0; p < part.dofs.parents.size(); ++p)
        if (!part.is_fixed[p]) labels.add(part.dofs.parents[p], i);
      next += part.n_internal();
    }
    result.internal.push_back(part.dofs);
  }
  large.damping = C;
  large.labels = labels.finish();
  return result;
}

template ViscoelasticDescription<InstantiatedEngine> with_viscoelastic_branches<InstantiatedEngine>(
    const SystemDescription<InstantiatedEngine>&, const std::vector<ViscoelasticPart<InstantiatedEngine>>&);

}  // namespace halfdof
