// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <vector>

/// The beginning and the end of an interval in which a machine sticks [s].
using StickInterval = std::array<double, 2>;

/// Returns the stick intervals of the machines in the order of absorbers_of_the_paper(). An independent
/// program computed them with exact pieces in 30 digits and events by bisection; the errors are below 1e-10.
/// The stick intervals of Figs. 5.3 and 5.4 do not end. The interval of Fig. 5.4 begins after two half
/// periods of pi sqrt(m/k) each.
inline std::vector<std::vector<StickInterval>> reference_stick_intervals() {
  return {{{0.06030103636708142, 0.102401589856269},
           {0.1770585595297253, 0.1976353413939265},
           {0.27637459281383625, 0.29669247073456845},
           {0.37622686485288037, 0.39652037524154365},
           {0.476199582695166, 0.49648954032510584},
           {0.5761946848280283, 0.5964840346691311},
           {0.6761938099971897, 0.6964830522335128},
           {0.7761936538817128, 0.7964828769461315},
           {0.8761936260270887, 0.8964828456717626},
           {0.9761936210573214, 0.9964828400918819}},
          {{2.916895551114492, 5.}},
          {{1.404962946208145, 2.}}};
}
