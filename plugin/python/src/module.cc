// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"

PYBIND11_MODULE(_core, core) {
  using namespace halfdof::python;
  core.doc() = "The compiled part of halfdof. It is private: use the package halfdof.";
  core.def("version", &halfdof::version);
  bind_errors(core);
  bind_systems(core);
  bind_builders(core);
  bind_files(core);
  bind_spectra(core);
  bind_responses(core);
  bind_laws(core);
  bind_motion(core);
  bind_cases(core);
  bind_structural(core);
  bind_memory(core);
}
