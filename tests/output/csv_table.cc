// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/output/result_files.h>
#include <halfdof/reduction/dense_form.h>

#include <boost/test/unit_test.hpp>

#include <support/scratch_folder.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <limits>
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

struct Folder {
  ScratchFolder folder;
  std::filesystem::path file() const { return folder.path() / "table.csv"; }
};

/// While it lives, no file of this process grows beyond `size` bytes: a disk that is full.
class LargestFile {
 public:
  explicit LargestFile(rlim_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = size;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LargestFile() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(csv_table, Folder)

BOOST_AUTO_TEST_CASE(a_header_and_rows_of_every_kind_are_written) {
  CsvTable table(file(), {"name", "count", "value", "eigenvalue"});
  table.add_row({"viscous", 12, 0.5, Complex(-1.5, -2)});
  table.add_row({"algebraic", std::size_t(3), -1e-300, Complex(0, 1)});
  BOOST_TEST(text_of(file()) ==
             "name,count,value,eigenvalue\nviscous,12,0.5,-1.5-2i\nalgebraic,3,-1e-300,0+1i\n");
}

BOOST_AUTO_TEST_CASE(commas_quotes_and_line_ends_are_quoted) {
  CsvTable table(file(), {"u, v", "the \"gap\"", "two\nlines", "plain [Hz]"});
  BOOST_TEST(text_of(file()) == "\"u, v\",\"the \"\"gap\"\"\",\"two\nlines\",plain [Hz]\n");
}

BOOST_AUTO_TEST_CASE(numbers_read_back_as_the_same_doubles) {
  const Vector values =
      (Vector(6) << 0.1, 1. / 3, 2.2250738585072011e-308, -4.9e-324, 1.7976931348623157e308, 1e22).finished();
  CsvTable table(file(), {"t", "a", "b", "c", "d", "e", "f"});
  table.add_row(std::nextafter(1., 2.), values);
  std::istringstream text(text_of(file()));
  std::string cell;
  std::getline(text, cell);
  std::getline(text, cell, ',');
  BOOST_TEST(std::strtod(cell.c_str(), nullptr) == std::nextafter(1., 2.));
  for (const double value : values) {
    std::getline(text, cell, ',');
    BOOST_TEST(std::strtod(cell.c_str(), nullptr) == value);
  }
}

BOOST_AUTO_TEST_CASE(a_table_goes_on_where_it_was_left) {
  TablePrefix left;
  {
    CsvTable table(file(), {"a", "b"});
    table.add_row({1, 2});
    left = table.prefix();
    table.add_row({3, 4});
  }
  {
    CsvTable table(file(), 2, left);
    table.add_row({5, 6});
    BOOST_TEST(table.prefix().size == 12u);
    BOOST_CHECK_THROW(table.add_row({7}), InvalidInput);
  }
  BOOST_TEST(text_of(file()) == "a,b\n1,2\n5,6\n");
  BOOST_CHECK_THROW(CsvTable(file(), 2, {13, left.checksum}), FileError);
  BOOST_CHECK_THROW(CsvTable(folder.path() / "none.csv", 2, TablePrefix()), FileError);
  BOOST_TEST(text_of(file()) == "a,b\n1,2\n5,6\n");
}

BOOST_AUTO_TEST_CASE(rows_are_added_below_a_whole_table) {
  folder.file("table.csv", "a,b\n1,2\n");
  CsvTable(file(), 2, CsvTable::whole(file())).add_row({3, 4});
  BOOST_TEST(text_of(file()) == "a,b\n1,2\n3,4\n");
  BOOST_CHECK_THROW(CsvTable::whole(folder.path() / "none.csv"), FileError);
}

BOOST_AUTO_TEST_CASE(a_table_whose_rows_were_changed_is_not_gone_on_with) {
  TablePrefix left;
  {
    CsvTable table(file(), {"a", "b"});
    table.add_row({1, 2});
    left = table.prefix();
  }
  BOOST_TEST(left.checksum == 0xa97077bu);  // python3 -c "import zlib; print(hex(zlib.crc32(b'a,b\n1,2\n')))"
  const auto names_file = [&](const FileError& error) {
    return std::string(error.what()).find(file().string() + ": the first 8 bytes") != std::string::npos;
  };
  for (const char* const changed : {"a,b\n1,3\n", "a,b\n1,3\n5,6\n"}) {
    folder.file("table.csv", changed);
    BOOST_CHECK_EXCEPTION(CsvTable(file(), 2, left), FileError, names_file);
    BOOST_TEST(text_of(file()) == changed);
  }
}

BOOST_AUTO_TEST_CASE(rows_that_are_gathered_wait_for_a_flush) {
  {
    CsvTable table(file(), {"a", "b"});
    table.gather_rows();
    table.add_row({1, 2});
    BOOST_TEST(table.n_waiting() == 4u);
    BOOST_TEST(text_of(file()) == "a,b\n");
    table.flush();
    BOOST_TEST(text_of(file()) == "a,b\n1,2\n");
    {
      const LargestFile full(12);
      table.add_row({3, 4});
      table.add_row({1.23456789, 2.3456789});
      BOOST_CHECK_THROW(table.sync(), FileError);
    }
    BOOST_TEST(text_of(file()) == "a,b\n1,2\n");
    BOOST_TEST(table.prefix().size == 8u);
    table.sync();
    BOOST_TEST(text_of(file()) == "a,b\n1,2\n3,4\n1.23456789,2.3456789\n");
    table.add_row({5, 6});
  }
  BOOST_TEST(text_of(file()) == "a,b\n1,2\n3,4\n1.23456789,2.3456789\n5,6\n");
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_are_words_that_plotting_programs_know) {
  CsvTable table(file(), {"a", "b", "c"});
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  table.add_row({-nan, infinity, -infinity});
  BOOST_TEST(text_of(file()) == "a,b,c\nnan,inf,-inf\n");
}

BOOST_AUTO_TEST_CASE(each_row_is_in_the_file_at_once) {
  CsvTable table(file(), {"t"});
  for (int i = 0; i < 3; ++i) {
    table.add_row({i});
    BOOST_TEST(text_of(file()).size() == std::size_t(2 + 2 * (i + 1)));
  }
}

BOOST_AUTO_TEST_CASE(a_row_of_the_wrong_length_is_refused_and_leaves_the_file_valid) {
  CsvTable table(file(), {"a", "b"});
  BOOST_CHECK_THROW(table.add_row({1.}), InvalidInput);
  BOOST_CHECK_THROW(table.add_row(0, Vector::Zero(2)), InvalidInput);
  BOOST_TEST(text_of(file()) == "a,b\n");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_named) {
  const auto names_file = [](const FileError& error) {
    return std::string(error.what()).find("none/table.csv") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(CsvTable(folder.path() / "none" / "table.csv", {"a"}), FileError, names_file);
  BOOST_CHECK_THROW(CsvTable("/dev/full", {"a"}), FileError);
}

BOOST_AUTO_TEST_CASE(a_row_that_finds_the_disk_full_is_taken_back_and_the_next_follows_the_last_good_one) {
  CsvTable table(file(), {"a", "b"});
  table.add_row({1, 2});
  {
    const LargestFile full(12);
    BOOST_CHECK_THROW(table.add_row({1.23456789, 2.3456789}), FileError);
  }
  BOOST_TEST(text_of(file()) == "a,b\n1,2\n");
  table.add_row({3, 4});
  BOOST_TEST(text_of(file()) == "a,b\n1,2\n3,4\n");
}

BOOST_AUTO_TEST_SUITE_END()
