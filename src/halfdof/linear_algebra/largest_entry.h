#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/// |A_ij| of the largest entry; 0 without entries; NaN if one is not a number.
inline double largest_entry(const Eigen::Ref<const MultiVector>& A) {
  return A.size() > 0 ? A.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.;
}

}  // namespace halfdof
