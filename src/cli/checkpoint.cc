// SPDX-License-Identifier: LGPL-2.1-or-later
#include "checkpoint.h"

#include <halfdof/base/atomic_file.h>
#include <halfdof/base/input_file.h>

#include <zlib.h>

#include "json_file.h"
#include <fstream>
#include <sstream>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr const char* format = "halfdof checkpoint 6";

std::vector<double> numbers_of(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

Vector vector_of(const Json& list) {
  const auto entries = list.get<std::vector<double>>();
  return Vector::Map(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

Json json_of(const NonsmoothState& state) {
  std::vector<int> contacts;
  for (const ContactState contact : state.contacts)
    contacts.push_back(static_cast<int>(contact));
  return {{"time", state.time},
          {"y", numbers_of(state.y)},
          {"r", numbers_of(state.r)},
          {"w", numbers_of(state.w)},
          {"g", numbers_of(state.g)},
          {"impulse", numbers_of(state.impulse)},
          {"contacts", contacts},
          {"dissipated", state.dissipated},
          {"dissipated_by", numbers_of(state.dissipated_by)},
          {"grid_origin", state.grid.origin},
          {"grid_steps", state.grid.n_steps},
          {"memory", numbers_of(state.carried)},
          {"method", state.method}};
}

Json json_of(const StepTotals& totals) {
  return {{"work", totals.energies.work},
          {"damped", totals.energies.dissipated},
          {"reaction_work", totals.energies.reactions},
          {"gaps_at_start", totals.gaps_at_start},
          {"slipped", totals.slipped}};
}

Json json_of(const TablePrefix& prefix) {
  return {{"bytes", prefix.size}, {"crc32", prefix.checksum}};
}

TablePrefix prefix_of(const Json& json) {
  return {json.at("bytes"), json.at("crc32")};
}

Json json_of(const Checkpoint& checkpoint) {
  return {{"inputs", checkpoint.inputs},          {"integrator", checkpoint.integrator},
          {"n_points", checkpoint.n_points},      {"table", json_of(checkpoint.table)},
          {"events", json_of(checkpoint.events)}, {"totals", json_of(checkpoint.totals)},
          {"state", json_of(checkpoint.state)}};
}

std::uint32_t checksum_of(const Json& run) {
  const std::string text = run.dump();
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

StepTotals totals_of(const Json& json) {
  StepTotals totals;
  totals.energies.work = json.at("work");
  totals.energies.dissipated = json.at("damped");
  totals.energies.reactions = json.at("reaction_work");
  totals.gaps_at_start = json.at("gaps_at_start").get<std::vector<double>>();
  totals.slipped = json.at("slipped").get<std::vector<double>>();
  return totals;
}

ContactState contact_of(int number, const std::filesystem::path& file) {
  if (number >= 0 && number <= static_cast<int>(ContactState::closed))
    return static_cast<ContactState>(number);
  throw FileError(file,
                  "this checkpoint is damaged: there is no contact state " + std::to_string(number) + ".");
}

NonsmoothState state_of(const Json& json, const std::filesystem::path& file) {
  NonsmoothState state;
  state.time = json.at("time");
  state.y = vector_of(json.at("y"));
  state.r = vector_of(json.at("r"));
  state.w = vector_of(json.at("w"));
  state.g = vector_of(json.at("g"));
  state.impulse = vector_of(json.at("impulse"));
  for (const int contact : json.at("contacts").get<std::vector<int>>())
    state.contacts.push_back(contact_of(contact, file));
  state.dissipated = json.at("dissipated");
  state.dissipated_by = vector_of(json.at("dissipated_by"));
  state.grid = {json.at("grid_origin"), json.at("grid_steps")};
  state.carried = vector_of(json.at("memory"));
  state.method = json.at("method");
  return state;
}

}  // namespace

std::filesystem::path checkpoint_of(const std::filesystem::path& table) {
  return table.string() + ".checkpoint";
}

void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  const Json run = json_of(checkpoint);
  AtomicFile whole(file);
  whole.write(Json({{"format", format}, {"crc32", checksum_of(run)}, {"run", run}}).dump(2));
  whole.write("\n");
  whole.commit_to_disk();
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw FileError(file,
                    "there is no such checkpoint, so nothing to resume. Run the case without --resume.");
  if (const std::string obstacle = why_unreadable(file); !obstacle.empty())
    throw FileError(file, "the checkpoint cannot be read: " + obstacle + ".");
  std::ifstream in(file);
  try {
    const Json json = Json::parse(in);
    if (json.at("format") != format) throw FileError(file, "this is no checkpoint of this version.");
    const Json& run = json.at("run");
    if (json.at("crc32") != checksum_of(run))
      throw FileError(file,
                      "this checkpoint is damaged: it was changed after it was written (its CRC-32 differs). "
                      "Restore it, or remove it to begin anew.");
    return {run.at("inputs"),           run.at("integrator"),       state_of(run.at("state"), file),
            run.at("n_points"),         prefix_of(run.at("table")), prefix_of(run.at("events")),
            totals_of(run.at("totals"))};
  } catch (const Json::exception& error) {
    throw FileError(file, std::string("this checkpoint is damaged: ") + error.what() + ".");
  }
}

std::string fingerprint(const std::string& text, const std::vector<std::filesystem::path>& files) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&hash](char byte) { hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U; };
  for (const char byte : text)
    add(byte);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    for (std::istreambuf_iterator<char> byte(in), end; byte != end; ++byte)
      add(*byte);
    add('\0');
  }
  std::ostringstream digits;
  digits << std::hex << hash;
  return digits.str();
}

}  // namespace halfdof::cli
