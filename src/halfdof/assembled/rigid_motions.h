#pragma once

#include <halfdof/assembled/labels.h>
#include <halfdof/base/types.h>

namespace halfdof {

/**
 * The rigid motions of an elastic body by its support points x: translations e_i, and the small rotations
 * @f$ e_i \times x @f$ (in the plane: about the third axis). No stiffness resists them, so that they span the
 * near null space from which multigrid starts. Zero at DoFs of other components; rotations are zero where
 * there is no support point.
 *
 * @param first_component Where the components of the displacement begin, as many as a point has coordinates
 * @return local assembled DoFs x 1, 3 or 6, by the dimension of the labels; x 0 where there are not that many
 * components
 */
MultiVector rigid_motions(const DoFLabels& labels, Index n_local, Index first_component = 0);

}  // namespace halfdof
