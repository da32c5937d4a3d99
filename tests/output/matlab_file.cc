// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/output/result_files.h>

#include <boost/test/unit_test.hpp>

#include <matio.h>
#include <support/scratch_folder.h>

#include <memory>

using namespace halfdof;

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using VariablePtr = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

/// A written file, seen through matio's reader.
struct Written {
  ScratchFolder folder;
  std::filesystem::path file() const { return folder.path() / "system.mat"; }

  VariablePtr read(const char* name) const {
    mat_t* const mat = Mat_Open(file().c_str(), MAT_ACC_RDONLY);
    BOOST_REQUIRE(mat != nullptr);
    BOOST_TEST(Mat_GetVersion(mat) == MAT_FT_MAT5);
    VariablePtr variable(Mat_VarRead(mat, name), &Mat_VarFree);
    Mat_Close(mat);
    BOOST_REQUIRE(variable != nullptr);
    BOOST_REQUIRE(variable->rank == 2);
    return variable;
  }
};

void check_shape(const matvar_t& variable, matio_classes kind, std::size_t n_rows, std::size_t n_columns) {
  BOOST_TEST(variable.class_type == kind);
  BOOST_TEST(variable.dims[0] == n_rows);
  BOOST_TEST(variable.dims[1] == n_columns);
}

const MultiVector A = (MultiVector(2, 3) << 1.5, 2, 3, -4, 1. / 3, 1e-300).finished();

Sparse sparse_matrix() {
  Sparse K(3, 4);
  K.insert(0, 0) = 2;
  K.insert(2, 0) = -1;
  K.insert(1, 2) = 0.125;
  K.insert(2, 3) = 0;
  return K;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(matlab_file, Written)

BOOST_AUTO_TEST_CASE(real_matrices_and_vectors_keep_shape_and_values) {
  write_matlab_file(file(), {{"A", A}, {"f", Vector(A.row(1).transpose())}, {"At", A.transpose()}});
  const VariablePtr a = read("A"), f = read("f"), at = read("At");
  check_shape(*a, MAT_C_DOUBLE, 2, 3);
  BOOST_TEST(a->data_type == MAT_T_DOUBLE);
  BOOST_TEST(a->isComplex == 0);
  BOOST_TEST((Eigen::Map<MultiVector>(static_cast<double*>(a->data), 2, 3) == A));
  check_shape(*f, MAT_C_DOUBLE, 3, 1);
  BOOST_TEST((Eigen::Map<Vector>(static_cast<double*>(f->data), 3) == A.row(1).transpose()));
  check_shape(*at, MAT_C_DOUBLE, 3, 2);
  BOOST_TEST((Eigen::Map<MultiVector>(static_cast<double*>(at->data), 3, 2) == A.transpose()));
}

BOOST_AUTO_TEST_CASE(complex_matrices_keep_both_parts) {
  const ComplexMultiVector H = (A + Complex(0, 2) * A.cwiseAbs2()).eval();
  write_matlab_file(file(), {{"H", H}});
  const VariablePtr h = read("H");
  check_shape(*h, MAT_C_DOUBLE, 2, 3);
  BOOST_REQUIRE(h->isComplex != 0);
  const auto* parts = static_cast<mat_complex_split_t*>(h->data);
  BOOST_TEST((Eigen::Map<MultiVector>(static_cast<double*>(parts->Re), 2, 3) == H.real()));
  BOOST_TEST((Eigen::Map<MultiVector>(static_cast<double*>(parts->Im), 2, 3) == H.imag()));
}

BOOST_AUTO_TEST_CASE(sparse_matrices_keep_their_pattern) {
  const Sparse K = sparse_matrix();
  BOOST_REQUIRE(!K.isCompressed());
  write_matlab_file(file(), {{"K", K}, {"empty", Sparse(2, 5)}});
  const VariablePtr k = read("K"), empty = read("empty");
  check_shape(*k, MAT_C_SPARSE, 3, 4);
  const auto* s = static_cast<mat_sparse_t*>(k->data);
  const std::vector<mat_uint32_t> begin = {0, 2, 2, 3, 4}, rows = {0, 2, 1, 2};
  const std::vector<double> values = {2, -1, 0.125, 0};
  const auto* data = static_cast<double*>(s->data);
  BOOST_TEST(std::vector<mat_uint32_t>(s->jc, s->jc + s->njc) == begin);
  BOOST_TEST(std::vector<mat_uint32_t>(s->ir, s->ir + s->nir) == rows);
  BOOST_TEST(std::vector<double>(data, data + s->ndata) == values);
  check_shape(*empty, MAT_C_SPARSE, 2, 5);
  BOOST_TEST(static_cast<mat_sparse_t*>(empty->data)->ndata == 0u);
}

BOOST_AUTO_TEST_CASE(text_keeps_its_characters) {
  write_matlab_file(file(), {{"state_order", "q_I, q_C, v_I"}, {"nothing", ""}});
  const VariablePtr text = read("state_order");
  check_shape(*text, MAT_C_CHAR, 1, 13);
  const auto* characters = static_cast<mat_uint16_t*>(text->data);
  BOOST_TEST(std::string(characters, characters + 13) == "q_I, q_C, v_I");
  check_shape(*read("nothing"), MAT_C_CHAR, 0, 0);
}

BOOST_AUTO_TEST_CASE(matrices_without_entries_are_written) {
  write_matlab_file(file(), {{"none", MultiVector(0, 0)}, {"no_columns", MultiVector(3, 0)}, {"A", A}});
  check_shape(*read("none"), MAT_C_DOUBLE, 0, 0);
  check_shape(*read("no_columns"), MAT_C_DOUBLE, 3, 0);
  check_shape(*read("A"), MAT_C_DOUBLE, 2, 3);
}

BOOST_AUTO_TEST_CASE(names_that_matlab_does_not_know_are_refused_and_no_file_is_left) {
  for (const std::string name : {"", "1A", "_A", "A-B", "a b", "\xc3\xa4"})
    BOOST_CHECK_THROW(write_matlab_file(file(), {{name, A}}), InvalidInput);
  BOOST_CHECK_THROW(write_matlab_file(file(), {{std::string(64, 'a'), A}}), InvalidInput);
  BOOST_CHECK_THROW(write_matlab_file(file(), {{"A", A}, {"A", A}}), InvalidInput);
  BOOST_CHECK_THROW(write_matlab_file(file(), {{"text", "5 \xc2\xb5m"}}), InvalidInput);
  BOOST_TEST(folder.n_files() == 0);
}

BOOST_AUTO_TEST_CASE(more_columns_than_the_format_counts_are_refused_and_no_file_is_left) {
  const Eigen::Index too_many = Eigen::Index(1) << 31;
  BOOST_CHECK_THROW(write_matlab_file(file(), {{"none", MultiVector(0, too_many)}}), InvalidInput);
  BOOST_TEST(folder.n_files() == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_named) {
  BOOST_CHECK_EXCEPTION(write_matlab_file(folder.path() / "none" / "system.mat", {{"A", A}}), FileError,
                        [](const FileError& error) {
                          return std::string(error.what()).find("none/system.mat") != std::string::npos;
                        });
  BOOST_CHECK_THROW(write_matlab_file("/dev/full", {{"A", A}}), FileError);
}

BOOST_AUTO_TEST_SUITE_END()
