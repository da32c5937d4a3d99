// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/base/point.h>

#include <sstream>
#include <string>

namespace halfdof {

/// Returns the coordinates of a point as a text for messages, such as "(0.5, 1)".
template <int dim>
std::string text_of(const dealii::Point<dim>& x) {
  std::ostringstream text;
  text << '(' << x[0];
  for (unsigned int k = 1; k < dim; ++k)
    text << ", " << x[k];
  text << ')';
  return text.str();
}

}  // namespace halfdof
