// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

#include <cholmod.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace halfdof::internal {

/// The settings and the workspace of CHOLMOD (RAII wrapper of cholmod_common).
class CholmodCommon {
 public:
  CholmodCommon() {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.quick_return_if_not_posdef = 1;
    // With this setting, CHOLMOD uses AMD instead of METIS if memory is short, because METIS would end the
    // program.
    common_.metis_memory = 2;
    // Supernodes are a little wider than by default. L then stores 5 to 15 percent more zeros, and the time
    // is smaller by the same percentage.
    const std::size_t widths[] = {8, 24, 64};
    std::copy(std::begin(widths), std::end(widths), common_.nrelax);
    common_.zrelax[1] = 0.15;
  }
  CholmodCommon(const CholmodCommon&) = delete;
  CholmodCommon& operator=(const CholmodCommon&) = delete;
  ~CholmodCommon() { cholmod_l_finish(&common_); }

  cholmod_common* operator->() { return &common_; }
  operator cholmod_common*() { return &common_; }

 private:
  cholmod_common common_;
};

struct FreeFactor {
  void operator()(cholmod_factor* factor) const {
    CholmodCommon common;
    cholmod_l_free_factor(&factor, common);
  }
};

using CholmodFactor = std::unique_ptr<cholmod_factor, FreeFactor>;

/// Returns the factorization sign A = P^T L D L^T P, or sign A = P^T L L^T P, from a factor that CHOLMOD
/// computed. `sign` is 1 or -1.
ReportedFactorizationPtr<double> cholmod_factorization(CholmodFactor factor, double sign);

}  // namespace halfdof::internal
