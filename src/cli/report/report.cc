// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/printable.h>
#include <halfdof/linear_algebra/dense/blas.h>

#include "../case_argument.h"
#include "../case_inclusions.h"
#include "../case_model.h"
#include "../checks.h"
#include "../exit_code.h"
#include "../inspect_json.h"
#include "../modes.h"
#include "../verbs.h"
#include "findings.h"
#include "model_sections.h"
#include "run_sections.h"
#include "spectrum_sections.h"
#include <algorithm>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>

namespace halfdof::cli {

using namespace internal;

namespace {

struct ReportOptions {
  CaseArgument of_case;
  ModelOptions model;
  std::filesystem::path html;
  Index count = 40;            ///< number of eigenvalues of a large model
  std::int64_t steps = 20000;  ///< limit of the run
  std::string command;
};

/// A case or the files of a model, as read.
struct Input {
  ModelSource source;
  std::optional<CaseFile> run;  ///< absent: the case has no [integrator], or there is none
};

Input read(const ReportOptions& options) {
  Input input{source_of(options.of_case, options.model), std::nullopt};
  if (input.source.of_case && input.source.of_case->has_run)
    input.run = read_case_file(options.of_case.file, options.of_case.changed());
  return input;
}

/// Validates a file_name() that ends in .html or .htm.
CLI::Validator html_name() {
  const auto check = [](const std::string& text) {
    const std::string extension = lower_case(std::filesystem::path(text).extension().string());
    return extension == ".html" || extension == ".htm"
               ? std::string()
               : "a report is an HTML page, but " + text +
                     " does not end in .html or .htm. A browser prints the page to PDF.";
  };
  return file_name() & CLI::Validator(check, "");
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&time, &utc);
  char text[32] = "";
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return text;
}

std::string blas_text() {
  const BlasInUse blas = blas_in_use();
  return blas.configuration.empty() ? blas.library : blas.configuration;
}

/// Writes the sections of a model that can be reduced.
void add_reduced(Findings& report, const Input& input, const ReportOptions& options, const Model& model,
                 const ReducedSystem<Engine>& reduced, const Json& inspected) {
  const AssembledSystem<Engine>& assembled = model.application();
  std::optional<SpectrumComparison> comparison;
  report.page.section("spectra", "Spectra and modes");
  if (reduced.depends_on_state())
    report.page.paragraph(
        "Forces of this model depend on its motion: eigenvalues and responses are those of its "
        "linearization at zero displacements and rates.");
  report.part("The spectra", [&] {
    comparison = compare_all_or_nearest(reduced, model.n_copies() * options.count);
    if (model.structural) {
      const StructurallyDampedModes modes =
          structurally_damped_modes(*model.structural, reduced, *comparison);
      modes.print(std::cout);
      add_spectra(report, *comparison, modes);
      return;
    }
    comparison->print(std::cout);
    add_spectra(report, *comparison);
  });
  if (comparison && !comparison->after.finite.empty()) {
    report.page.section("response", "Frequency response");
    report.part("The frequency response", [&] {
      std::vector<GlobalIndex> displacements;
      if (input.run) displacements = input.run->output.dofs("displacement", dofs_of(assembled));
      const bool has_loads = input.source.of_case && !input.source.of_case->loads.empty();
      add_response(report, model, reduced, *comparison,
                   has_loads ? response_of_case(*input.source.of_case, displacements, assembled)
                             : collocated(assembled));
    });
  }
  if (inspected.contains("inclusions")) {
    report.page.section("inclusions", "Inclusions");
    add_inclusions(report, inspected);
  }
  if (input.run && model.structural) {
    report.page.section("run", "Run");
    report.page.paragraph(no_motion_of_a_case);
  } else if (input.run) {
    report.page.section("run", "Run");
    report.part("The run", [&] { add_run(report, *input.run, reduced, options.steps); });
  }
}

/// Returns what stands before the sections: what was computed, by whom, and the results in short.
HtmlPage summary(const Findings& report, const ReportOptions& options, const Json& inspected) {
  HtmlPage page("");
  page.table("This report", {"", ""},
             {{"command", options.command},
              {"date", now()},
              {"halfdof", version()},
              {"engine", Engine::name},
              {"BLAS", blas_text()}});
  const auto count = [&](const char* key) { return inspected[key].dump(); };
  page.paragraph(
      count("n_dofs") + " degrees of freedom: " + count("n_inertial") + " inertial, " + count("n_viscous") +
      " viscous, " + count("n_algebraic") + " algebraic, " + count("n_constrained") + " constrained. " +
      (!inspected["regular"].get<bool>() ? "The half degrees of freedom cannot be eliminated: see Diagnosis."
       : report.agrees ? "They reduce to " + count("n_states") + " states, and all that was verified agrees."
                       : "They reduce to " + count("n_states") +
                             " states, but not all that was verified agrees: see Verification."));
  return page;
}

void add_conclusion(Findings& report) {
  report.page.section("verification", "Verification");
  if (report.verified.empty())
    report.page.paragraph("Nothing was compared.");
  else
    report.page.table("What was compared, with its largest relative error and the limit of it",
                      {"compared", "largest error", "limit", "result"}, report.verified);
  report.page.section("warnings", "Warnings");
  if (report.warnings.empty())
    report.page.paragraph("There are none.");
  else
    report.page.list(report.warnings);
}

std::string title(const ReportOptions& options) {
  std::filesystem::path name = options.of_case.file;
  if (name.empty())
    name = options.model.files.empty() ? options.model.stiffness : options.model.files.front();
  return "halfdof report: " + name.filename().string();
}

ExitCode run(const ReportOptions& options) {
  if (options.count < 1)
    throw InvalidInput("--count is " + std::to_string(options.count) + ". Ask for at least one eigenvalue.");
  if (options.steps < 1)
    throw InvalidInput("--steps is " + std::to_string(options.steps) + ". Allow at least one step.");
  const Input input = read(options);
  check_outputs(input.source.files(), {{"--html", options.html}});
  const Model model = input.source.read();
  const AssembledSystem<Engine>& assembled = model.application();
  const ReductionOptions reduction = reduction_options(input.source.options);
  Findings report(title(options));
  Json inspected;
  std::vector<DoFKind> kinds;
  std::optional<ReducedSystem<Engine>> reduced;
  try {
    reduced.emplace(reduce(model, reduction));
    kinds = model.structural ? classify_dofs(*model.structural, reduction.classification).kinds()
                             : reduced->classification().kinds();
    inspected = model.structural ? describe_structural(model, reduction) : describe_regular(*reduced);
    if (!model.structural && input.source.of_case && !input.source.of_case->inclusions.empty())
      describe_inclusions(*input.source.of_case, *reduced, inspected);
  } catch (const SingularElimination& reason) {
    kinds = model.structural ? classify_dofs(*model.structural, reduction.classification).kinds()
                             : classify_dofs(FreeSystem<Engine>(assembled), reduction.classification).kinds();
    inspected = model.structural ? describe_structural(model, reduction)
                                 : describe_singular(assembled, reason, reduction);
  }
  report.warnings = inspected["warnings"].get<std::vector<std::string>>();
  add_model(report, assembled, input.source.files(), formats_of(input.source.options));
  add_kinds(report, assembled, kinds, inspected);
  if (model.structural)
    report.page.paragraph(
        "The model has structural damping: the stiffness is K + i K_i, or the damping C + i C_i, at positive "
        "frequencies. It is eliminated in its real form of twice the size, and described in the degrees of "
        "freedom of the files. " +
        input.source.unused());
  add_sparsity(report, assembled, kinds, reduced && !model.structural ? &*reduced : nullptr,
               model.structural ? "the elimination is that of the real form" : "the elimination is singular");
  add_diagnosis(report, inspected);
  if (reduced) add_reduced(report, input, options, model, *reduced, inspected);
  add_conclusion(report);

  AtomicFile file(options.html);
  file.write(report.page.text(summary(report, options, inspected)));
  file.commit();
  std::cout << "Wrote " << printable(options.html.string()) << ".\n";
  if (report.agrees) return agreed;
  std::cout.flush();
  std::cerr << "halfdof: not all that the report compares agrees, or a part of it could not be computed: its "
               "sections Verification and Warnings say which.\n";
  return falls_short;
}

}  // namespace

void add_report(CLI::App& program, int& exit_code, const std::string& command) {
  CLI::App* const verb = program.add_subcommand(
      "report", "One HTML page with pictures: the model, its diagnosis, spectra, responses and a run");
  const auto options = std::make_shared<ReportOptions>();
  options->command = command;
  add_case(*verb, options->of_case,
           "a case of `halfdof simulate` instead of the files of a model; it is run, too");
  add_model_options(*verb, options->model);
  verb->add_option("--html", options->html, "the page, one file that needs no other")
      ->required()
      ->type_name("FILE.html")
      ->check(html_name());
  verb->add_option(
          "--count", options->count,
          "number of eigenvalues nearest to zero that are compared if the model has more than 400 free DoFs")
      ->capture_default_str();
  verb->add_option("--steps", options->steps,
                   "largest number of steps of the run; the page says if it was reached")
      ->capture_default_str();
  verb->footer(
      "It prints what `inspect` and `modes` print. Pictures of curves need gnuplot; without it the page has "
      "its\n"
      "other parts. A model that cannot be eliminated is described, too.\n"
      "Exit code 0 only if all that was compared agrees.\n\n"
      "Example:\n"
      "  halfdof report --mass M.mtx --damping C.mtx --stiffness K.mtx --html report.html\n"
      "  halfdof report CASE.toml --html report.html");
  verb->callback([options, verb, &exit_code] {
    check_case_or_model(*verb);
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
