// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_file.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/input_file.h>

#include <boost/locale/utf.hpp>

#include "case_checker.h"
#include "case_keys.h"
#include "case_node.h"
#include "out_of_memory.h"
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <sstream>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// Returns the first message of the parser, without its function names and excerpts of the file.
std::string reason(const toml::syntax_error& error) {
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  if (const std::size_t name = text.rfind("toml::"); name != std::string::npos)
    if (const std::size_t end = text.find(": ", name); end != std::string::npos) text.erase(0, end + 2);
  if (text.rfind("[error] ", 0) == 0) text.erase(0, 8);
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

/// Refuses values nested so deeply that the recursive parser would run out of stack.
void check_nesting(const fs::path& file, const std::string& text) {
  constexpr int deepest = 64;
  int depth = 0;
  GlobalIndex line = 1;
  char quote = 0;
  bool is_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      is_comment = false;
      quote = 0;
    } else if (quote != 0) {
      if (c == '\\' && quote == '"')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (!is_comment) {
      is_comment = c == '#';
      if (c == '"' || c == '\'') quote = c;
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    }
    if (depth > deepest)
      throw FileError(file, line,
                      "lists and tables are nested more than " + std::to_string(deepest) +
                          " deep here, but no key takes more than three levels.");
  }
}

/// Checks that the text is UTF-8; the parser reads beyond the end of other text. @throws FileError
void check_encoding(const fs::path& file, const std::string& text) {
  namespace utf = boost::locale::utf;
  GlobalIndex line = 1;
  for (auto at = text.begin(); at != text.end();) {
    if (*at == '\n') ++line;
    if (!utf::is_valid_codepoint(utf::utf_traits<char>::decode(at, text.end())))
      throw FileError(file, line,
                      "this line is not UTF-8 text, which a case must be. Save the file as UTF-8.");
  }
}

toml::value parse(const fs::path& file) {
  if (const std::string obstacle = why_unreadable(file); !obstacle.empty())
    throw FileError(file, "the case cannot be read: " + obstacle + ".");
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf()))
    throw FileError(file, "the case cannot be read: it is empty, or there is no permission to read it.");
  check_encoding(file, text.str());
  check_nesting(file, text.str());
  try {
    toml::value root = toml::parse(text, file.string());
    throw_if_allocation_failed();
    return root;
  } catch (const toml::syntax_error& error) {
    throw FileError(file, static_cast<GlobalIndex>(error.location().line()),
                    "this is not TOML: " + reason(error));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(file, std::string("this is not TOML: ") + error.what());
  }
}

/// Returns the sections, and whether each may occur several times.
const std::map<std::string, bool>& case_sections() {
  static const std::map<std::string, bool> all = {
      {"system", false},     {"parameters", false}, {"initial", false}, {"load", true},   {"inclusion", true},
      {"integrator", false}, {"output", false},     {"plot", true},     {"element", true}};
  return all;
}

void check_sections(const fs::path& file, const toml::value& root) {
  std::vector<std::string> names;
  for (const auto& section : case_sections())
    names.push_back(section.first);
  for (const auto* const entry : in_order(root)) {
    const auto& [name, value] = *entry;
    const auto section = case_sections().find(name);
    if (section == case_sections().end()) {
      const std::string near = nearest(name, names);
      throw FileError(file, line_of(value),
                      name + " is no section of a case." + (near.empty() ? "" : " Is " + near + " meant?") +
                          " The sections are: " + joined(names) + ".");
    }
    if (value.is_array() == section->second) continue;
    throw FileError(
        file, line_of(value),
        "write this section as " +
            (section->second ? "[[" + name + "]], which may occur several times." : "[" + name + "], once."));
  }
}

using SharedParameters = std::shared_ptr<const Parameters>;

/// Returns the values of [parameters]; those of the settings replace the ones of the case, also in the root.
SharedParameters parameters_of(const fs::path& file, toml::value& root, const Parameters& settings) {
  auto parameters = std::make_shared<Parameters>();
  std::vector<std::string> names;
  if (root.contains("parameters")) {
    const toml::value& section = root.at("parameters");
    if (!section.is_table())
      throw FileError(file, line_of(section), "[parameters] must be a table of names and numbers.");
    for (const auto* const entry : in_order(section)) {
      const auto& [name, value] = *entry;
      const std::string place = "[parameters] " + name;
      if (!is_number(value))
        throw FileError(file, line_of(value), place + " is " + found(value) + ", but must be a number.");
      try {
        check_parameters({{name, number_of(value)}});
      } catch (const InvalidInput& error) {
        throw FileError(file, line_of(value), place + ": " + error.what());
      }
      (*parameters)[name] = number_of(value);
      names.push_back(name);
    }
  }
  for (const auto& [name, value] : settings) {
    check_parameters({{name, value}});
    if (parameters->count(name) == 0) {
      const std::string near = nearest(name, names);
      throw InvalidInput("The case " + file.string() + " has no parameter \"" + name + "\" in [parameters]" +
                         (names.empty() ? ", which is empty." : ": " + joined(names) + ".") +
                         (near.empty() ? "" : " Is " + near + " meant?"));
    }
    (*parameters)[name] = value;
    root["parameters"][name] = value;
  }
  return parameters;
}

CaseSection section(const fs::path& file, const toml::value& root, const std::string& name,
                    const SharedParameters& parameters = std::make_shared<Parameters>()) {
  const toml::value value = root.contains(name) ? root.at(name) : toml::value(toml::table());
  return CaseSection(
      file, name, std::make_shared<CaseSection::Node>(CaseSection::Node{value, line_of(value)}), parameters);
}

/// Moves the sections of a list out of the root, instead of copying them, since there may be very many.
std::vector<CaseSection> list(const fs::path& file, toml::value& root, const std::string& name,
                              const SharedParameters& parameters = std::make_shared<Parameters>()) {
  std::vector<CaseSection> all;
  if (!root.contains(name)) return all;
  std::shared_ptr<CaseSection::Node> last;
  for (toml::value& value : root.at(name).as_array()) {
    const GlobalIndex line = last ? line_of(value, last->value, last->line) : line_of(value);
    last = std::make_shared<CaseSection::Node>(CaseSection::Node{std::move(value), line});
    all.emplace_back(file, name, last, parameters);
  }
  return all;
}

Index eigenvalues_of(const fs::path& file, const toml::value& root) {
  if (!root.contains("integrator")) return 0;
  const CaseSection integrator = section(file, root, "integrator");
  return integrator.has("eigenvalues") ? static_cast<Index>(integrator.whole_number("eigenvalues")) : 0;
}

/// Returns the values of [system]. @throws FileError with the line of a file that cannot be read
ModelOptions model_options(const CaseSection& system) {
  ModelOptions options;
  options.files = system.inputs("model");
  if (options.files.empty() && !system.has("stiffness"))
    system.fail("stiffness",
                "is missing, and model too. Give the name of a file, or in model those of all files.");
  if (!options.files.empty())
    for (const char* const key : {"mass", "damping", "stiffness"})
      if (system.has(key))
        system.fail(key, "is given in addition to model, the files of all matrices. Give only one.");
  const auto first_file = [&system](const char* key) {
    const std::vector<CaseTerm> terms = system.terms(key);
    return terms.empty() ? system.input(key) : terms.front().file;
  };
  options.mass = first_file("mass");
  options.damping = first_file("damping");
  options.stiffness = first_file("stiffness");
  options.dofs = system.input("dofs");
  if (system.has("prony"))
    for (const std::string& text : system.texts("prony")) {
      PronyPart part = system.with_line("prony", [&] { return prony_part_from(text, "an entry"); });
      for (std::filesystem::path* const file : {&part.series, &part.stiffness})
        if (!file->empty()) *file = system.beside(*file);
      options.prony.push_back(std::move(part));
    }
  if (system.is_file("constrained")) options.constrained = system.input("constrained");
  options.constraint_position = system.input("constraint_position");
  options.constraint_rate = system.input("constraint_rate");
  options.null_tolerance = system.number("null_tolerance");
  options.solver = solver_from_name(system.text("solver"));
  options.method = method_from_name(system.text("method"));
  return options;
}

/// Refuses a parameter that no formula uses: its name is probably misspelt in one.
void check_used(const CaseModel& model, GlobalIndex line) {
  std::set<std::string> used;
  const auto add = [&used](const CaseSection& section) {
    for (const std::string& name : section.parameters_used())
      used.insert(name);
  };
  add(model.system);
  for (const auto* const list : {&model.loads, &model.inclusions})
    std::for_each(list->begin(), list->end(), add);
  for (const auto& parameter : model.parameters)
    if (used.count(parameter.first) == 0)
      throw FileError(
          model.file, line,
          "[parameters] " + parameter.first +
              " is used by no factor of a matrix or of structural damping, and by no function of a load "
              "or an inclusion. Use it, or leave it out.");
}

/// Reads the model; moves its loads and inclusions out of the root.
CaseModel model(const fs::path& file, toml::value& root, const Parameters& settings) {
  const SharedParameters parameters = parameters_of(file, root, settings);
  CaseModel model{file,
                  section(file, root, "system", parameters),
                  section(file, root, "initial"),
                  list(file, root, "load", parameters),
                  list(file, root, "element"),
                  list(file, root, "inclusion", parameters)};
  model.parameters = *parameters;
  model.terms = {model.system.terms("mass"), model.system.terms("damping"), model.system.terms("stiffness"),
                 model.system.terms("structural_damping")};
  if (model.system.is_file("structural_damping"))
    model.terms.structural_damping.push_back({model.system.input("structural_damping"), 1.});
  if (!parameters->empty()) check_used(model, line_of(root.at("parameters")));
  model.begin = model.initial.number("time");
  model.has_run = root.contains("integrator");
  model.n_eigenvalues = eigenvalues_of(file, root);
  return model;
}

/// Appends a value as text: numbers by their value, so that 3, 3.0 and 30e-1 are equal; keys in the order of
/// their names.
void append_text(std::ostream& text, const toml::value& value, const std::set<std::string>& ignored_keys) {
  if (is_number(value)) {
    text << number_of(value);
  } else if (value.is_array()) {
    text << '[';
    for (const toml::value& entry : value.as_array()) {
      append_text(text, entry, ignored_keys);
      text << ',';
    }
    text << ']';
  } else if (value.is_table()) {
    const std::map<std::string, toml::value> entries(value.as_table().begin(), value.as_table().end());
    text << '{';
    for (const auto& [name, entry] : entries) {
      if (ignored_keys.count(name) > 0) continue;
      text << std::quoted(name) << '=';
      append_text(text, entry, ignored_keys);
      text << ',';
    }
    text << '}';
  } else if (value.is_string()) {
    text << std::quoted(value.as_string().str);
  } else {
    text << value;
  }
}

/// Returns sections as text that changes with the case, but not with comments, line ends, or the times of
/// checkpoints.
std::string text_of(const toml::value& root, const std::vector<std::string>& names) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  for (const std::string& name : names) {
    if (!root.contains(name)) continue;
    text << name << ' ';
    append_text(text, root.at(name), {"checkpoint_interval", "checkpoint_every"});
    text << '\n';
  }
  return text.str();
}

/// Appends a suffix to the names of the output files, before their extensions.
void rename_outputs(toml::value& root, const std::string& suffix) {
  if (!root.contains("output") || !root.at("output").is_table()) return;
  for (const char* const key : {"file", "events", "plot"}) {
    if (!root.at("output").contains(key) || !root.at("output").at(key).is_string()) continue;
    const fs::path name = root.at("output").at(key).as_string().str;
    root["output"][key] =
        (name.parent_path() / (name.stem().string() + suffix + name.extension().string())).string();
  }
}

}  // namespace

double step_of(const CaseFile& given) {
  return given.settings.step.value() / given.refinement;
}

CaseFile read_case_file(const fs::path& file, const Parameters& settings, const std::string& suffix) {
  toml::value root = parse(file);
  check_sections(file, root);
  if (!suffix.empty()) rename_outputs(root, suffix);
  parameters_of(file, root, settings);
  const std::string integrator_text = text_of(root, {"integrator"}),
                    other_text = text_of(
                        root, {"system", "parameters", "initial", "load", "element", "inclusion", "output"});
  CaseModel of_model = model(file, root, settings);
  const CaseSection integrator = section(file, root, "integrator");
  CaseFile given{std::move(of_model),
                 integrator,
                 section(file, root, "output"),
                 integrator_settings(integrator),
                 list(file, root, "plot"),
                 integrator_text,
                 other_text};
  given.options = model_options(given.system);
  return given;
}

CaseModel read_case_model(const fs::path& file, const Parameters& settings) {
  toml::value root = parse(file);
  check_sections(file, root);
  if (root.contains("output")) section(file, root, "output");
  list(file, root, "plot");
  CaseModel given = model(file, root, settings);
  given.options = model_options(given.system);
  return given;
}

}  // namespace halfdof::cli
