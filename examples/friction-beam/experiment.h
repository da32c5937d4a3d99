// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/progress.h>

#include "rubbing.h"
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/// The slow motion of the support to and fro, so slow that inertia and damping are negligible. At
/// `first_time` the support has moved by `first_displacement`, so little that no point of the beam slips; at
/// `quarter_time` it reaches the amplitude, and one period later it has completed a loop.
constexpr double amplitude = 2e-3, first_displacement = 1e-7;         ///< [m]
constexpr double first_time = 60, quarter_time = 900, period = 3600;  ///< [s]
/// The speed of the steady motion of the support towards the clamp.
constexpr double speed = 0.1;  ///< [m/s]

/// The results of the slow motion, and the reactions of the clamped end at both ends of the loop.
struct Loop {
  Run run;
  std::array<double, 2> clamp_at_far_end{}, clamp_at_near_end{};
};

/// The computations with the beam, on one process or on several processes.
template <class LinearAlgebra>
class Experiment {
 public:
  using Rubs = Rubbing<LinearAlgebra>;
  using Reduced = typename Rubs::Reduced;

  /// @param folder The folder for VTU files; without a folder, no files are written and no progress is shown
  Experiment(const std::string& mesh, unsigned int n_refinements, const std::optional<std::string>& folder);

  const RubbingBeam<LinearAlgebra>& beam() const { return beam_; }
  const Reduced& reduced() const { return reduced_; }

  /// Integrates the slow motion by implicit Euler.
  Loop loop(std::ostream& out);

  /// Integrates the steady motion by the Moreau-Jean method with theta = 1/2, which has no numerical
  /// dissipation.
  Run waves(double end_time);

  /// Returns eigenvalues near 2 pi i 1000 Hz of the beam that slides steadily over the support with all
  /// points in contact.
  std::vector<halfdof::Complex> sliding_eigenvalues() const;

 private:
  using Vector = typename LinearAlgebra::Vector;
  using Observation = typename Rubs::Observation;

  Reduced reduce_beam(const typename LinearAlgebra::Matrix& stiffness,
                      const dealii::AffineConstraints<double>& constraints) const;
  Vector displacement(const Observation& now) const;
  halfdof::Progress progress(const std::string& title, double end) const;

  std::optional<std::string> folder_;
  RubbingBeam<LinearAlgebra> beam_;
  Reduced reduced_;
};
