// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>

#include "beam.h"
#include <string>
#include <vector>

/// What is recorded at every output time.
struct Record {
  std::vector<double> time;              ///< [s]
  std::vector<double> tip, joint;        ///< vertical displacements [m]
  std::vector<double> kinetic, elastic;  ///< energies without those of the branches [J/m]
};

/// A mode as it is drawn.
template <class Vector>
struct ModeShape {
  std::string title;
  Vector displacement;
};

/// Displacements and energies over time.
void draw_ring_down(const Record& record, const std::string& file);

/// The deformed mesh for each mode, coloured by the length of the displacement. Collective; process 0 draws.
template <class LinearAlgebra>
void draw_modes(const Beam<LinearAlgebra>& beam,
                const std::vector<ModeShape<typename LinearAlgebra::Vector>>& modes, const std::string& file);
