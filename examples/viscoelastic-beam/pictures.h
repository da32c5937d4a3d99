// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>

#include "beam.h"
#include <string>
#include <vector>

/// The results that are recorded at every output time.
struct Record {
  std::vector<double> time;              ///< [s]
  std::vector<double> tip, joint;        ///< vertical displacements [m]
  std::vector<double> kinetic, elastic;  ///< energies without the energy of the viscoelastic branches [J/m]
};

/// A mode shape with its title in the picture.
template <class Vector>
struct ModeShape {
  std::string title;
  Vector displacement;
};

/// Draws displacements and energies over time.
void draw_ring_down(const Record& record, const std::string& file);

/// Draws the deformed mesh for each mode, coloured by the length of the displacement. Collective; process 0
/// writes the picture.
template <class LinearAlgebra>
void draw_modes(const Beam<LinearAlgebra>& beam,
                const std::vector<ModeShape<typename LinearAlgebra::Vector>>& modes, const std::string& file);
