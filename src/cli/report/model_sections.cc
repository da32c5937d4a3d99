// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model_sections.h"

#include <halfdof/base/joined.h>

#include "../sparsity_picture.h"
#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace halfdof::cli {

using internal::joined;

namespace {

constexpr std::size_t most_named = 6;  ///< number of DoFs that a list names
constexpr int pattern_width = 250;     ///< least width of the picture of a matrix [pixels]

HtmlPage::Row matrix_row(const std::string& name, const EigenMatrix& A) {
  return {name, A.rows().n_global(), A.n_local_entries(), A.is_symmetric() ? "symmetric" : "unsymmetric"};
}

std::string text_of_labels(const DoFLabels& labels) {
  if (labels.node.empty() && labels.component.empty())
    return "The DoFs have no labels: they are named by their 0-based indices.";
  const std::set<GlobalIndex> nodes(labels.node.begin(), labels.node.end());
  std::string text = "The DoFs are labelled";
  if (!labels.node.empty()) text += " with " + std::to_string(nodes.size()) + " nodes";
  if (!labels.component_names.empty())
    text += (labels.node.empty() ? " with" : " and") + std::string(" the components ") +
            joined(labels.component_names);
  return text + ".";
}

/// Returns the JSON value as a cell: null is not determined.
TableCell cell(const Json& value) {
  if (value.is_null()) return "not determined";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return value.get<GlobalIndex>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string numbers(const Json& list) {
  std::vector<std::string> all;
  for (const Json& number : list)
    all.push_back(number.dump());
  return joined(all);
}

void add_problems(HtmlPage& page, const Json& problems) {
  std::vector<HtmlPage::Row> rows;
  for (const Json& problem : problems) {
    const auto names = problem["names"].get<std::vector<std::string>>();
    rows.push_back({problem["block"].get<std::string>(),
                    names.empty() ? numbers(problem["dofs"]) : joined(names, "; "),
                    problem["cause"].get<std::string>(), problem["remedy"].get<std::string>()});
  }
  if (!rows.empty())
    page.table("Problems, each with its cause and what to do", {"block", "DoFs", "cause", "remedy"}, rows);
}

void add_elimination(HtmlPage& page, const Json& blocks) {
  std::vector<HtmlPage::Row> rows;
  for (const Json& block : blocks)
    rows.push_back({cell(block["block"]), cell(block["n_rows"]), cell(block["n_entries"]),
                    cell(block["solver"]), cell(block["n_factor_entries"]), cell(block["condition"])});
  page.table("Blocks of D that were factorized",
             {"block", "rows", "entries", "solver", "entries of the factors", "condition"}, rows);
}

}  // namespace

void add_model(Findings& report, const AssembledSystem<Engine>& assembled,
               const std::vector<InputFile>& files, const std::vector<std::string>& formats) {
  HtmlPage& page = report.page;
  page.section("model", "Model");
  std::vector<HtmlPage::Row> rows;
  for (const InputFile& file : files)
    if (!file.path.empty()) rows.push_back({file.option, file.path.string()});
  page.table("Files", {"option or key", "file"}, rows);
  if (!formats.empty()) page.paragraph("Formats of the matrices: " + joined(formats) + ".");
  page.table(
      "Matrices of M q'' + C q' + K q = f, in the units of the files",
      {"matrix", "rows", "entries", "symmetry"},
      {matrix_row("M", assembled.M()), matrix_row("C", assembled.C()), matrix_row("K", assembled.K())});
  if (const GlobalIndex n = assembled.multipliers().n_global(); n > 0)
    page.paragraph(std::to_string(n) + " of the DoFs are multipliers of constraints or dummy derivatives.");
  page.paragraph(text_of_labels(assembled.labels()));
}

void add_kinds(Findings& report, const AssembledSystem<Engine>& assembled, const std::vector<DoFKind>& kinds,
               const Json& inspected) {
  struct Kind {
    DoFKind kind;
    const char *count, *columns, *states;
  };
  constexpr std::array<Kind, 4> all = {
      {{DoFKind::inertial, "n_inertial", "M not null", "displacement and velocity"},
       {DoFKind::viscous, "n_viscous", "M null, C not null", "displacement"},
       {DoFKind::algebraic, "n_algebraic", "M and C null", "none"},
       {DoFKind::constrained, "n_constrained", "-", "none"}}};
  std::vector<HtmlPage::Row> rows;
  for (const Kind& row : all) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kinds.size() && names.size() <= most_named; ++i)
      if (kinds[i] == row.kind)
        names.push_back(names.size() < most_named
                            ? assembled.labels().describe(static_cast<Index>(i), static_cast<GlobalIndex>(i))
                            : "...");
    rows.push_back({halfdof::name_of(row.kind), cell(inspected[row.count]), row.columns, row.states,
                    joined(names, "; ")});
  }
  report.page.section("kinds", "Kinds of degrees of freedom");
  report.page.table("The kind of a DoF follows from its columns of M and C",
                    {"kind", "DoFs", "columns", "states of each", "the first of them"}, rows);
  if (inspected["regular"].get<bool>())
    report.page.paragraph("Of " + std::to_string(inspected["n_dofs"].get<GlobalIndex>()) +
                          " degrees of freedom, the regular system keeps " +
                          std::to_string(inspected["n_states"].get<GlobalIndex>()) + " states.");
}

void add_sparsity(Findings& report, const AssembledSystem<Engine>& assembled,
                  const std::vector<DoFKind>& kinds, const ReducedSystem<Engine>* reduced,
                  const std::string& reason) {
  const SparsityOfModel model = sparsity_of(assembled, kinds, reduced);
  const auto draw = [&](const std::vector<SparsityPanel>& panels, const std::string& order) {
    std::vector<std::string> pictures;
    for (const SparsityPanel& panel : panels)
      pictures.push_back(
          sparsity_svg({panel}, 1, "Places of the nonzero entries of " + panel.name + ", " + order));
    return pictures;
  };
  std::string caption = " Each entry that is not zero has the colour of the kind of its column.";
  if (static_cast<Index>(kinds.size()) > most_exact_rows)
    caption =
        " The model is large: a cell stands for several rows and columns (the size is given below each "
        "picture), "
        "has the colour of the kind with the most entries in it, and is the darker the more of its entries "
        "are "
        "not zero.";
  caption +=
      reduced != nullptr
          ? " D = [M J_I | C J_C | K J_K] takes from each matrix the columns of one kind, on the free DoFs; "
            "it is the matrix that the elimination factorizes."
          : " D is not shown, because " + reason + ".";
  if (reduced != nullptr && reduced->method() == ReductionMethod::kernel)
    caption +=
        " The reduction uses coordinates of the kernels of M and C: a kind is that of the coordinate that "
        "takes the number of the DoF.";
  report.page.section("sparsity", "Sparsity by kind");
  report.page.figure(draw(model.as_given, "in the order of the files"),
                     "DoFs in the order of the files." + caption, pattern_width);
  report.page.figure(
      draw(model.by_kind, "sorted by kind"),
      "The same with rows and columns sorted by kind: inertial, viscous, algebraic, constrained. Grey "
      "lines separate the kinds.",
      pattern_width);
}

void add_diagnosis(Findings& report, const Json& inspected) {
  HtmlPage& page = report.page;
  page.section("diagnosis", "Diagnosis");
  page.paragraph(inspected["regular"].get<bool>()
                     ? "The half degrees of freedom can be eliminated exactly."
                     : "The half degrees of freedom cannot be eliminated: the problems below say why.");
  if (inspected.contains("problems")) add_problems(page, inspected["problems"]);
  std::vector<HtmlPage::Row> rows;
  const std::array<std::pair<const char*, const char*>, 9> facts = {
      {{"pencil", "pencil lambda^2 M + lambda C + K"},
       {"method", "method of reduction"},
       {"n_finite", "finite eigenvalues"},
       {"n_infinite", "infinite eigenvalues"},
       {"index", "index of the half-DoF state"},
       {"index_companion", "index with all rates"},
       {"condition", "condition of what is eliminated, after equilibration"},
       {"known_by", "the index is known by"},
       {"not_determined", "not determined"}}};
  for (const auto& [key, text] : facts)
    if (inspected.contains(key) && inspected[key] != "") rows.push_back({text, cell(inspected[key])});
  page.table("What was found", {"quantity", "value"}, rows);
  if (inspected.contains("elimination")) add_elimination(page, inspected["elimination"]);
}

}  // namespace halfdof::cli
