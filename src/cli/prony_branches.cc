// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prony_branches.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/input_file.h>
#include <halfdof/base/printable.h>

#include "number_from.h"
#include "structural_damping.h"
#include "toml_value.h"
#include <exception>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

double number(const std::filesystem::path& file, const toml::value& table, const char* key) {
  if (!table.contains(key) || !is_number(table.at(key)))
    throw FileError(file, line_of(table),
                    std::string("the number ") + key +
                        " is missing. A series has long_term, and g and tau of each [[branch]].");
  return number_of(table.at(key));
}

RelaxingPart read_series(const std::filesystem::path& file) {
  if (const std::string obstacle = why_unreadable(file); !obstacle.empty())
    throw FileError(file, "the Prony series cannot be read: " + obstacle + ".");
  toml::value root;
  try {
    root = toml::parse(file.string());
  } catch (const std::exception&) {
    throw FileError(file, "this is not TOML. `halfdof prony` writes a series.");
  }
  RelaxingPart series;
  series.long_term = number(file, root, "long_term");
  if (!(series.long_term > 0))
    throw FileError(
        file, line_of(root.at("long_term")),
        "long_term is not positive. It is the stiffness at rest, relative to that of the part, or "
        "for a table of moduli the modulus at rest.");
  if (root.contains("branch") && root.at("branch").is_array())
    for (const toml::value& branch : root.at("branch").as_array()) {
      if (!branch.is_table())
        throw FileError(file, line_of(root.at("branch")),
                        "branch is no table. Each [[branch]] has the numbers g and tau.");
      series.terms.push_back({number(file, branch, "g"), number(file, branch, "tau")});
    }
  try {
    check_series(series.terms);
  } catch (const InvalidInput& error) {
    throw FileError(file, error.what());
  }
  return series;
}

}  // namespace

PronyPart prony_part_from(const std::string& text, const std::string& place) {
  const std::size_t star = text.find('*');
  if (text.empty() || star == 0 || star + 1 == text.size())
    throw InvalidInput(place + " is \"" + printable(text) +
                       "\". Give SERIES, a file of `halfdof prony`, or SERIES*STIFFNESS.");
  if (number_from(text.substr(0, star)))
    throw InvalidInput(
        place + " is " + printable(text) +
        ", which begins with a number, but a file of a Prony series belongs here. `halfdof "
        "prony --loss-factor 0.02 --band 10:1000 --output series.toml` writes one for a loss "
        "factor and a band of frequencies. Loss factors without a series are structural damping "
        "(--structural-damping, or structural_damping in [system]).");
  if (star == std::string::npos) return {text, {}};
  return {text.substr(0, star), text.substr(star + 1)};
}

std::vector<RelaxingPart> read_prony_parts(const std::vector<PronyPart>& parts, const DoFLabels& labels,
                                           Eigen::Index n_dofs) {
  std::vector<RelaxingPart> all;
  for (const PronyPart& part : parts) {
    all.push_back(read_series(part.series));
    if (!part.stiffness.empty())
      all.back().stiffness =
          EigenMatrix(read_in_order_of(labels, n_dofs, part.stiffness, "stiffness of a Prony series"));
  }
  return all;
}

SystemDescription<EigenEngine> with_prony_branches(SystemDescription<EigenEngine> description,
                                                   const std::vector<RelaxingPart>& parts) {
  if (parts.empty()) return description;
  for (std::size_t p = 1; p < parts.size(); ++p)
    if (!parts[p].stiffness || !parts[0].stiffness)
      throw InvalidInput(
          "There are several Prony series, and one of them is that of the whole stiffness, which would relax "
          "twice. Give each series its part of the stiffness, SERIES*STIFFNESS.");
  const EigenMatrix K = description.stiffness;
  std::vector<ViscoelasticPart<EigenEngine>> viscoelastic;
  for (const RelaxingPart& part : parts) {
    const EigenMatrix& K_p = part.stiffness ? *part.stiffness : K;
    description.stiffness = EigenEngine::sum(1., description.stiffness, part.long_term - 1, K_p);
    const EigenMatrix long_term = EigenEngine::sum(part.long_term, K_p, 0., K_p);
    viscoelastic.push_back({long_term, part.terms, BranchForm::local});
  }
  return with_viscoelastic_branches(description, viscoelastic).description;
}

}  // namespace halfdof::cli
