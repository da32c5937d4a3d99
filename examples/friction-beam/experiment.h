// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/progress.h>

#include "rubbing.h"
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/// How the support moves. To and fro so slowly that friction and elasticity are all there is; it begins with
/// a slide so short that no point slips, and is back where it began the loop after another period.
constexpr double amplitude = 2e-3, first_slide = 1e-7;                ///< [m]
constexpr double first_time = 60, quarter_time = 900, period = 3600;  ///< [s]
/// Steadily towards the clamp.
constexpr double speed = 0.1;  ///< [m/s]

/// The slow run, and what holds the clamp when the support is at its two ends.
struct Loop {
  Run run;
  std::array<double, 2> clamp_at_far_end{}, clamp_at_near_end{};
};

/// What is done with the beam, on one process or on many.
template <class LinearAlgebra>
class Experiment {
 public:
  using Rubs = Rubbing<LinearAlgebra>;
  using Reduced = typename Rubs::Reduced;

  /// @param folder For VTU files; without one no progress is shown, either.
  Experiment(const std::string& mesh, unsigned int n_refinements, const std::optional<std::string>& folder);

  const RubbingBeam<LinearAlgebra>& beam() const { return beam_; }
  const Reduced& reduced() const { return reduced_; }

  /// Statics, step by step: implicit Euler.
  Loop loop(std::ostream& out);

  /// Moreau and Jean's scheme with theta = 1/2, which loses no energy of its own.
  Run waves(double end_time);

  /// Those near 2 pi 1000 Hz of the beam that slides steadily over the support, every point in contact.
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
