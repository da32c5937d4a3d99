#include "json_file.h"

#include <halfdof/base/atomic_file.h>

namespace halfdof::cli {

void make_folder_of(const std::filesystem::path& file) {
  if (file.parent_path().empty()) return;
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (!std::filesystem::is_directory(file.parent_path()))
    throw FileError(file, "the folder of this file cannot be made (" + error.message() + ").");
}

void write_json(const std::filesystem::path& path, const Json& json) {
  make_folder_of(path);
  AtomicFile file(path);
  file.write(json.dump(2, ' ', false, Json::error_handler_t::replace));
  file.write("\n");
  file.commit();
}

Json pairs(const std::vector<Complex>& values) {
  Json array = Json::array();
  for (const Complex value : values)
    array.push_back({value.real() + 0., value.imag() + 0.});
  return array;
}

}  // namespace halfdof::cli
