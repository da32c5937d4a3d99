// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/atomic_file.h>

#include <boost/test/unit_test.hpp>

#include <support/scratch_folder.h>

using namespace halfdof;
using namespace halfdof::internal;
namespace fs = std::filesystem;

namespace {

void replace(const fs::path& path, std::string_view text, bool completely = true) {
  AtomicFile file(path);
  file.write(text);
  if (completely) file.commit();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(atomic_files)

BOOST_AUTO_TEST_CASE(a_file_appears_when_it_is_complete) {
  const ScratchFolder folder;
  const fs::path path = folder.file("table.csv", "old");
  replace(path, "half", false);
  BOOST_TEST(text_of(path) == "old");
  replace(path, "new");
  BOOST_TEST(text_of(path) == "new");
  BOOST_TEST(folder.n_files() == 1);
}

BOOST_AUTO_TEST_CASE(write_protected_files_are_kept) {
  const ScratchFolder folder;
  const fs::path path = folder.file("precious.csv", "old");
  fs::permissions(path, fs::perms::owner_read);
  BOOST_CHECK_EXCEPTION(replace(path, "new"), FileError, [](const FileError& error) {
    return std::string(error.what()).find("precious.csv: the file is write-protected") != std::string::npos;
  });
  BOOST_TEST(text_of(path) == "old");
  BOOST_TEST(folder.n_files() == 1);
}

BOOST_AUTO_TEST_CASE(a_new_file_has_the_permissions_of_the_old_one) {
  const ScratchFolder folder;
  const fs::path path = folder.file("private.csv", "old");
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  for (const fs::perms permissions : {own, own | fs::perms::group_write, own | fs::perms::others_read}) {
    fs::permissions(path, permissions);
    replace(path, "new");
    BOOST_TEST((fs::status(path).permissions() == permissions));
  }
}

BOOST_AUTO_TEST_CASE(each_line_of_a_text_follows_the_prefix) {
  const ScratchFolder folder;
  const fs::path path = folder.file("table.csv", "");
  for (const auto& [text, written] : {std::pair{"", ""}, std::pair{"one", "# one\n"},
                                      std::pair{"one\n", "# one\n"}, std::pair{"a\n\nb", "# a\n# \n# b\n"}}) {
    AtomicFile file(path);
    file.write_lines("# ", text);
    file.commit();
    BOOST_TEST(text_of(path) == written);
  }
}

BOOST_AUTO_TEST_SUITE_END()
