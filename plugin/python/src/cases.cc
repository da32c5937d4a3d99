// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cli/case_file.h>
#include <cli/case_methods.h>
#include <cli/case_model.h>
#include <cli/simulate.h>

#include "motion.h"

namespace halfdof::python {

namespace {

/// A case of the program halfdof: its model, its inclusions and its integrator.
py::dict read_case(const std::string& path, const Parameters& settings) {
  std::optional<cli::CaseFile> given;
  std::optional<Motion> motion;
  std::optional<NonsmoothStart> start;
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release release;
    given = cli::read_case_file(path, settings);
    if (!given->settings.make)
      throw NotAvailable(path +
                         " asks for the method memory. Run it with the program halfdof, or read its matrices "
                         "and call simulate() with the method memory.");
    const Inclusions<Engine> inclusions = cli::read_inclusions(*given, cli::reduce_case(*given));
    motion.emplace(inclusions, cli::with_law_tolerance(*given, cli::outcome_of(*given, inclusions)),
                   SystemLock());
    cli::CaseIntegrator integrator = cli::make_integrator(*given, motion->inclusions(), motion->outcome());
    motion->set_method(std::move(integrator.method));
    warnings = std::move(integrator.warnings);
    start = cli::start_of(*given, motion->inclusions(), motion->outcome());
  }
  py::dict all;
  all["reduced"] = Reduced(motion->inclusions().reduced(), motion->lock());
  all["motion"] = std::make_unique<Motion>(std::move(*motion));
  all["start"] = start_to(*start);
  all["end"] = given->settings.end;
  all["warnings"] = warnings;
  return all;
}

}  // namespace

void bind_cases(py::module_& core) {
  core.def("read_case", &read_case);
  core.def("reduce_case", [](const std::string& path, const Parameters& settings) {
    return Reduced(without_gil([&] { return cli::reduce_case(cli::read_case_model(path, settings)); }));
  });
}

}  // namespace halfdof::python
