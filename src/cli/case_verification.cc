// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_verification.h"

#include <halfdof/integrators/run_checks.h>

#include "case_methods.h"
#include <iostream>
#include <string>

namespace halfdof::cli {

using namespace internal;

bool passes_verification(const CaseFile& given, const Verification<Engine>& verification,
                         const NonsmoothIntegrator<Engine>& method, std::optional<double> begin,
                         const CaseVerification& asked) {
  VerificationReport report = verification.report();
  report.judged = method.kept_exactly();
  if (begin) std::cout << "Verified from " << seconds(*begin) << " on:\n";
  std::cout << report;
  std::string kept, failing;
  for (const Check check : method.kept_exactly()) {
    kept += (kept.empty() ? "" : ", ") + std::string(name_of(check));
    if (!(report[check].value <= asked.kept))
      failing += (failing.empty() ? "" : ", ") + std::string(name_of(check));
  }
  const bool is_all = method.kept_exactly().size() == n_checks;
  std::cout << name_of(*given.settings.method) << " keeps up to rounding: " << kept
            << (is_all ? ".\n" : ". Of the other rows, only the error of a time step is checked.\n");
  if (!asked.repeats)
    std::cout << "The error of a time step is that of one step: --verify=step shows how errors add up.\n";
  if (!failing.empty())
    std::cerr << "halfdof: the trajectory violates these checks by more than --tolerance " << asked.kept
              << ": " << failing << ".\n";
  const bool is_resolved = report.step_error.value <= asked.step;
  if (!is_resolved)
    std::cerr << "halfdof: the error of a time step is " << report.step_error.value
              << " of the motion, more than --step-tolerance " << asked.step
              << ": the steps do not resolve the motion, or the functions of time. Take shorter steps.\n";
  return failing.empty() && is_resolved;
}

}  // namespace halfdof::cli
