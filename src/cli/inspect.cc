// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_file.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/linear_algebra/dense/blas.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/second_order_form.h>

#include "case_argument.h"
#include "case_inclusions.h"
#include "case_model.h"
#include "checks.h"
#include "exit_code.h"
#include "inspect_json.h"
#include "model.h"
#include "sparsity_picture.h"
#include "verbs.h"
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

struct InspectOptions {
  CaseArgument of_case;
  ModelOptions model;
  std::filesystem::path json, plot;
  bool second_order = false;
};

Json counts(const Classification& kinds, const AssembledSystem<Engine>& assembled) {
  return {{"n_dofs", assembled.n_dofs()},           {"n_inertial", kinds.n_inertial()},
          {"n_viscous", kinds.n_viscous()},         {"n_algebraic", kinds.n_algebraic()},
          {"n_constrained", kinds.n_constrained()}, {"n_states", kinds.n_states()}};
}

Json counts(const ConstraintReport& constraints) {
  Json redundant = Json::array();
  for (const RedundantConstraints& some : constraints.redundant)
    redundant.push_back(some.dofs);
  return {{"n_multipliers", constraints.n_multipliers},
          {"n_position", constraints.n_position},
          {"n_hidden", constraints.n_hidden},
          {"n_velocity", constraints.n_velocity},
          {"redundant", redundant}};
}

template <class Number>
Json number_or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

void add(const Diagnosis& diagnosis, Json& json) {
  json["pencil"] = diagnosis.is_regular ? "regular" : "singular";
  json["method"] = name_of(diagnosis.method);
  json["n_finite"] = number_or_null(diagnosis.n_finite);
  json["n_infinite"] = number_or_null(diagnosis.n_infinite);
  json["n_rounded"] = diagnosis.n_rounded;
  json["index"] = number_or_null(diagnosis.index);
  json["index_companion"] = number_or_null(diagnosis.index_companion);
  json["index_if_infinite"] = number_or_null(diagnosis.index_if_infinite);
  json["index_companion_if_infinite"] = number_or_null(diagnosis.index_companion_if_infinite);
  json["largest_index"] = number_or_null(diagnosis.largest_index);
  json["known_by"] = diagnosis.known_by;
  json["not_determined"] = diagnosis.not_determined;
  json["problems"] = Json::array();
  for (const SingularPart& part : diagnosis.problems)
    json["problems"].push_back({{"block", part.block},
                                {"dofs", part.dofs},
                                {"names", part.names},
                                {"cause", part.cause},
                                {"remedy", part.remedy}});
}

Json blocks(const MixedColumnMatrix<Engine>& elimination) {
  Json all = Json::array();
  for (const EliminationBlock& block : elimination.blocks()) {
    const FactorizationReport& report = block.factorization;
    all.push_back({{"block", block.name},
                   {"n_rows", report.n_rows},
                   {"n_entries", report.n_entries},
                   {"solver", name_of(report.solver)},
                   {"reason", report.reason},
                   {"n_factor_entries", report.n_factor_entries},
                   {"condition", block.condition}});
    // Times are written only with --profile, so that files of two runs can be compared.
    if (Profile::of_process().is_on()) all.back()["seconds"] = report.seconds;
  }
  return all;
}

void print_blas(std::ostream& out) {
  const BlasInUse blas = blas_in_use();
  out << "BLAS: " << (blas.configuration.empty() ? "" : blas.configuration + ", ")
      << (blas.library.empty() ? "linked statically" : blas.library)
      << (blas.is_reference ? ": the reference one, several times slower than libopenblas0-pthread" : "")
      << '\n';
}

/// Describes a reduced system by the kinds and the diagnosis of what it was before.
Json describe_regular_pencil(const ReducedSystem<Engine>& reduced, const Classification& kinds,
                             const AssembledSystem<Engine>& system, const std::vector<std::string>& warnings,
                             const Diagnosis& diagnosis) {
  Json json = counts(kinds, system);
  json["regular"] = true;
  json["warnings"] = warnings;
  json["condition"] = reduced.elimination().condition();
  json["elimination"] = blocks(reduced.elimination());
  add(diagnosis, json);
  return json;
}

/// Describes and prints a system whose half DoFs cannot be eliminated. @param diagnose Returns its diagnosis
template <class Diagnose>
Json describe_singular_pencil(const Classification& kinds, const AssembledSystem<Engine>& system,
                              const SingularElimination& reason, const ReductionOptions& options,
                              const Diagnose& diagnose) {
  print(std::cout, kinds, system);
  Json json = counts(kinds, system);
  json["regular"] = false;
  json["warnings"] = warnings(kinds);
  json["warnings"].push_back(reason.what());
  json["singular"] = {{"block", reason.block()}, {"dofs", reason.dofs()}};
  DiagnosisOptions of_pencil;
  of_pencil.reduction = options;
  const Diagnosis diagnosis = diagnose(of_pencil);
  std::cout << "Half DoFs cannot be eliminated (method " << name_of(options.method) << ").\n" << diagnosis;
  add(diagnosis, json);
  return json;
}

}  // namespace

Json describe_singular(const AssembledSystem<Engine>& assembled, const SingularElimination& reason,
                       const ReductionOptions& options) {
  return describe_singular_pencil(
      classify_dofs(FreeSystem<Engine>(assembled), options.classification), assembled, reason, options,
      [&](const DiagnosisOptions& of_pencil) { return diagnose(assembled, reason, of_pencil); });
}

Json describe_regular(const ReducedSystem<Engine>& reduced) {
  reduced.print_summary(std::cout);
  Json json = describe_regular_pencil(reduced, reduced.classification(), reduced.assembled(),
                                      warnings(reduced), diagnose(reduced));
  if (reduced.method() == ReductionMethod::constraints) json["constraints"] = counts(reduced.constraints());
  json["prescribed_motion_needs"] = reduced.free().needed_prescribed();
  return json;
}

Json describe_structural(const Model& model, const ReductionOptions& options) {
  const StructurallyDampedSystem<Engine>& structural = *model.structural;
  Json json;
  try {
    const ReducedSystem<Engine> reduced = reduce(model, options);
    print_summary(std::cout, structural, reduced);
    const bool by_columns = reduced.method() == ReductionMethod::null_columns;
    json = describe_regular_pencil(reduced,
                                   by_columns ? application_kinds(structural, reduced)
                                              : classify_dofs(structural, options.classification),
                                   structural.real_part(), warnings(model, reduced),
                                   diagnose(structural, reduced));
    json["n_states"] = reduced.n_states() / 2;
  } catch (const SingularElimination& reason) {
    json = describe_singular_pencil(
        classify_dofs(structural, options.classification), structural.real_part(), reason, options,
        [&](const DiagnosisOptions& of_pencil) { return diagnose(structural, of_pencil); });
  }
  json["structural_damping"] = true;
  return json;
}

namespace {

void add_second_order(const AssembledSystem<Engine>& assembled, Json& json) {
  const KernelHypotheses found = second_order_hypotheses(assembled);
  std::cout << found;
  Json& second_order = json["second_order"];
  second_order = {{"corollary", found.corollary()},
                  {"applies", found.suffice()},
                  {"lambda", found.lambda},
                  {"n_1", found.N_1},
                  {"n_2", found.N_2},
                  {"n_3", found.N_3}};
  second_order["hypotheses"] = Json::array();
  for (const Hypothesis& one : found.all)
    second_order["hypotheses"].push_back({{"name", one.name},
                                          {"statement", one.statement},
                                          {"holds", one.holds},
                                          {"margin", one.margin},
                                          {"found", one.found},
                                          {"dofs", one.dofs}});
}

}  // namespace

Json labels_of(const AssembledSystem<Engine>& assembled) {
  const DoFLabels& labels = assembled.labels();
  Json all = Json::array();
  for (std::size_t i = 0; i < labels.component.size(); ++i) {
    const bool has_node = i < labels.node.size() && labels.node[i] >= 0;
    all.push_back({has_node ? Json(labels.node[i]) : Json(), labels.component_name(static_cast<Index>(i))});
  }
  return all;
}

namespace {

/// Draws the patterns of the matrices, if a picture is asked for.
void draw(const std::filesystem::path& file, const AssembledSystem<Engine>& assembled,
          const std::vector<DoFKind>& kinds, const ReducedSystem<Engine>* reduced) {
  if (file.empty()) return;
  const SparsityOfModel model = sparsity_of(assembled, kinds, reduced);
  std::vector<SparsityPanel> panels = model.as_given;
  for (SparsityPanel panel : model.by_kind) {
    panel.name += " by kind";
    panels.push_back(std::move(panel));
  }
  write_text(file, sparsity_svg(panels, model.as_given.size(),
                                "Places of nonzero entries, as given and with the DoFs sorted by kind"));
}

/// Reduces a model and describes it, also if it is singular. @param more called with the reduced model
template <class More>
Json describe_any(const AssembledSystem<Engine>& assembled, const ReductionOptions& options,
                  const std::filesystem::path& plot, const More& more) {
  try {
    const ReducedSystem<Engine> reduced = reduce(assembled, options);
    draw(plot, assembled, reduced.classification().kinds(), &reduced);
    Json json = describe_regular(reduced);
    more(reduced, json);
    return json;
  } catch (const SingularElimination& reason) {
    if (!plot.empty())
      draw(plot, assembled, classify_dofs(FreeSystem<Engine>(assembled), options.classification).kinds(),
           nullptr);
    return describe_singular(assembled, reason, options);
  }
}

Json describe_case(const CaseModel& given, const AssembledSystem<Engine>& assembled,
                   const std::filesystem::path& plot) {
  return describe_any(assembled, reduction_options(given), plot,
                      [&given](const ReducedSystem<Engine>& reduced, Json& json) {
                        if (!given.inclusions.empty()) describe_inclusions(given, reduced, json);
                      });
}

Json describe_model(const Model& model, const ModelOptions& options, const std::filesystem::path& plot) {
  if (model.structural) return describe_structural(model, reduction_options(options));
  return describe_any(model.assembled, reduction_options(options), plot,
                      [](const ReducedSystem<Engine>&, Json&) {});
}

/// Describes the model, also if it is singular.
Json describe(const InspectOptions& options) {
  const ModelSource source = source_of(options.of_case, options.model);
  const Model model = source.read();
  for (const auto& [option, is_given] :
       {std::pair("--second-order", options.second_order), {"--plot", !options.plot.empty()}})
    if (model.structural && is_given)
      throw NotAvailable(std::string(option) +
                         " was given, but it describes real matrices, and the model has structural damping. "
                         "Leave out one of them.");
  if (model.structural) std::cout << source.unused();
  const AssembledSystem<Engine>& assembled = model.application();
  Json json = source.of_case && !model.structural ? describe_case(*source.of_case, assembled, options.plot)
                                                  : describe_model(model, source.options, options.plot);
  json["format"] = formats_of(source.options);
  json["labels"] = labels_of(assembled);
  if (options.second_order) add_second_order(assembled, json);
  return json;
}

}  // namespace

void add_inspect(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand("inspect",
                                                "Which degrees of freedom have no inertia, whether they can "
                                                "be eliminated, and what becomes of inclusions");
  const auto options = std::make_shared<InspectOptions>();
  add_case(*verb, options->of_case,
           "a case of `halfdof simulate` instead of these options: its model, inclusions and start");
  add_model_options(*verb, options->model);
  verb->add_option("--json", options->json,
                   "write what was found to this file; with --profile also the times")
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option("--plot", options->plot,
                   "picture of the entries of M, C, K and D, coloured by kind of DoF (.svg)")
      ->type_name("FILE.svg")
      ->check(svg_name());
  verb->add_flag("--second-order", options->second_order,
                 "also the hypotheses under which rank M equations of second order remain, one by one");
  verb->footer(
      "A system that cannot be eliminated is described too: then `regular` is false, and the exit code 0.\n\n"
      "Example:\n"
      "  halfdof inspect --mass M.mtx --damping C.mtx --stiffness K.mtx --constrained clamped.txt\n"
      "  halfdof inspect CASE.toml --set omega=2 --plot pattern.svg");
  verb->callback([options, verb, &exit_code] {
    check_case_or_model(*verb);
    check_outputs(source_of(options->of_case, options->model).files(),
                  {{"--json", options->json}, {"--plot", options->plot}});
    const Json json = describe(*options);
    print_blas(std::cout);
    if (!options->json.empty()) write_json(options->json, json);
    exit_code = agreed;
  });
}

}  // namespace halfdof::cli
