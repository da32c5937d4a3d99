// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/model_files.h>

#include <Eigen/Eigenvalues>

#include <zlib.h>

#include "support/file_bytes.h"
#include "support/file_matrices.h"
#include "support/shared_data.h"
#include <cmath>
#include <functional>

using namespace halfdof;
using test::by_rows;
using test::equal;

namespace {

namespace fs = std::filesystem;

const std::string market = "%%MatrixMarket matrix coordinate real general\n";
const std::string M_market = market + "2 2 2\n1 1 1\n2 2 1\n",
                  K_market = market + "2 2 3\n1 1 2\n1 2 -1\n2 1 -1\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Files {
  ScratchFolder folder;
  fs::path file(const std::string& name, std::string_view text) const { return folder.file(name, text); }
  /// Returns the message with which a call refuses its input.
  static std::string refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const InvalidInput& error) {
      BOOST_TEST_MESSAGE(error.what());
      return error.what();
    }
    return "";
  }
};

bool has_remark(const ModelMatrices& model, const std::string& part) {
  for (const std::string& remark : model.remarks)
    if (contains(remark, part)) return true;
  return false;
}

/// The frequencies of K x = omega^2 M x in ascending order [Hz].
Vector frequencies(const ModelMatrices& model) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MultiVector> modes(
      MultiVector(*model.stiffness), MultiVector(*model.mass), Eigen::EigenvaluesOnly);
  return modes.eigenvalues().cwiseMax(0).cwiseSqrt() / (2 * std::acos(-1.));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(model_files, Files)

BOOST_AUTO_TEST_CASE(formats_are_recognized_by_content) {
  const auto format = [this](const std::string& name, std::string_view text) {
    return format_of(file(name, text));
  };
  using namespace std::string_view_literals;
  BOOST_TEST((format("a", "\n%%matrixmarket matrix") == FileFormat::matrix_market));
  BOOST_TEST((format("b.mas", "1 1 2.0\n") == FileFormat::calculix));
  BOOST_TEST((format("b.mtx", "1 1 2.0\n") == FileFormat::abaqus_coordinate));
  BOOST_TEST((format("b.mtx", "** comment\n-1,1, -1,1, 2.0\n") == FileFormat::abaqus_matrix_input));
  BOOST_TEST(
      (format("b.pch", "$TITLE\nDMIG    KAAX           0       6       2\n") == FileFormat::nastran_dmig));
  BOOST_TEST(
      (format("b.op4", "       2       3       2       2LOW     1P,2E10.3\n") == FileFormat::nastran_op4));
  for (const std::string& mark : {std::string("\x18\0\0\0", 4), std::string("\0\0\0\x18", 4)})
    BOOST_TEST((format("b.op4", mark + std::string(24, 'x') + mark) == FileFormat::nastran_op4));
  BOOST_TEST((format("b.hb", "title\n 4 1 1 2 0\nRSA 3 3 4 0\n(4I3) (4I3) (2D10.3)\n") ==
              FileFormat::harwell_boeing));
  BOOST_TEST((format("b.npz", "PK\x03\x04\0\0"sv) == FileFormat::numpy_npz));
  BOOST_TEST((format("b.npy", "\x93NUMPY\x01\0"sv) == FileFormat::numpy_npy));
  BOOST_TEST((format("b.dat", "\0\x12\x7B\x50\0\0"sv) == FileFormat::petsc));
  BOOST_TEST((format("b.mat", "\x89HDF\r\n\x1a\n\0"sv) == FileFormat::matlab_hdf5));
  BOOST_TEST((format("b.mat", "MATLAB 5.0 MAT-file" + std::string(105, ' ') + std::string("\0\x01IM", 4)) ==
              FileFormat::matlab));
}

BOOST_AUTO_TEST_CASE(foreign_and_missing_files_are_refused_and_the_formats_named) {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"hello world\n"sv, "1 2 3 4\n"sv, "\x7F\x45LF\0\0\0"sv, "1.5 2 3.0\n"sv,
                                      "\n\n"sv, "DMIGROT\n"sv, "1,1,1,1\n"sv}) {
    const std::string message = refusal([&] { format_of(file("x", text)); });
    BOOST_TEST(contains(message, "Known formats are: "));
    BOOST_TEST(contains(message, "Harwell-Boeing"));
  }
  BOOST_TEST(contains(refusal([&] { format_of(file("x", "")); }), "empty"));
  BOOST_TEST(contains(refusal([&] { format_of(folder.path() / "none"); }), "no such file"));
  BOOST_TEST(contains(refusal([&] { format_of(folder.path()); }), "directory"));
}

BOOST_AUTO_TEST_CASE(a_list_of_abaqus_is_recognized_behind_any_number_of_comments) {
  std::string comments;
  for (int k = 0; k < 20; ++k)
    comments += "** comment\n";
  BOOST_TEST((format_of(file("a", comments + "1,1, 1,1, 2.0,\n")) == FileFormat::abaqus_matrix_input));
  BOOST_TEST((format_of(file("a", comments + "1 1 2.0\n")) == FileFormat::abaqus_coordinate));
  BOOST_TEST((format_of(file("a", comments + "*MATRIX INPUT, NAME=K,\nTYPE=UNSYMMETRIC\n1,1,1,1,2.\n")) ==
              FileFormat::abaqus_matrix_input));
}

BOOST_AUTO_TEST_CASE(files_that_nearly_are_of_a_known_format_get_advice) {
  const fs::path compressed = folder.path() / "K.npz.gz";
  const gzFile out = gzopen(compressed.c_str(), "wb");
  gzwrite(out, "PK\x03\x04\0\0", 6);
  gzclose(out);
  BOOST_TEST(contains(refusal([&] { format_of(compressed); }), "gunzip"));
  // A 1 x 1 matrix K of version 4.
  const std::string version_4 =
      bytes_of_all<std::int32_t>({0, 1, 1, 0, 2}) + std::string("K\0", 2) + bytes_of(2.);
  BOOST_TEST(contains(refusal([&] { format_of(file("K.mat", version_4)); }), "version 4"));
  const std::string petsc = bytes_of_all<std::int32_t>({1211216, 1, 1, 1, 1, 0}, true) + bytes_of(2., true);
  BOOST_TEST(contains(refusal([&] { read_matrix(file("K.dat", petsc + petsc)); }),
                      "Name one of them as FILE:NAME: 1, 2"));
  BOOST_TEST(read_matrix(folder.path() / "K.dat:2").coeff(0, 0) == 2);
}

BOOST_AUTO_TEST_CASE(every_format_has_a_name) {
  for (int k = 0; k <= static_cast<int>(FileFormat::petsc); ++k)
    BOOST_TEST(name_of(static_cast<FileFormat>(k)) != std::string("unknown"));
}

BOOST_AUTO_TEST_CASE(calculix_files_make_a_model_with_the_labels_beside_them) {
  const fs::path mass = file("b.mas", "1 1 1\n1 2 0\n2 2 1\n"),
                 stiffness = file("b.sti", "1 1 2\n1 2 -1\n2 2 2\n");
  file("b.dof", "3.1\n4.2\n");
  const ModelMatrices model = read_model({mass, stiffness});
  BOOST_TEST(equal(MultiVector(*model.mass), MultiVector(MultiVector::Identity(2, 2))));
  BOOST_TEST(equal(MultiVector(*model.stiffness), by_rows(2, 2, {2, -1, -1, 2})));
  BOOST_TEST(!model.damping);
  BOOST_TEST(model.labels.describe(1, 1) == "DoF 1 (node 4, y)");
  BOOST_TEST(model.formats.size() == 2);
  BOOST_TEST(model.formats[0] == "CalculiX matrix storage");
  BOOST_TEST(model.remarks.empty());
  BOOST_TEST(read_model({mass, stiffness, folder.path() / "b.dof"}).labels.node.size() == 2);
  BOOST_TEST(contains(refusal([&] { read_model({mass, stiffness, folder.path() / "c.dof"}); }), "--dofs"));
}

BOOST_AUTO_TEST_CASE(names_say_the_roles) {
  const auto role = [this](const std::string& name) {
    const ModelMatrices model = read_model({file(name, K_market)});
    return std::string(model.mass ? "M" : "") + (model.damping ? "C" : "") + (model.stiffness ? "K" : "") +
           (model.structural_damping ? "H" : "") + (model.constraints ? "G" : "");
  };
  for (const char* const name : {"M.mtx", "m.mtx", "beam_MASS1.mtx", "x-mgg.txt", "rotorMassMatrix.txt"})
    BOOST_TEST(role(name) == "M");
  for (const char* const name : {"C.mtx", "D.mtx", "b_DMPV2.mtx", "damping.mtx", "BAAX"})
    BOOST_TEST(role(name) == "C");
  for (const char* const name : {"K.mtx", "b_STIF1.mtx", "stiffness.mtx", "KAAX.mtx", "K0.mtx"})
    BOOST_TEST(role(name) == "K");
  for (const char* const name : {"K4.mtx", "b_DMPS1.mtx", "structuralDamping.mtx"})
    BOOST_TEST(role(name) == "H");
  for (const char* const name : {"G.mtx", "constraints.mtx"})
    BOOST_TEST(role(name) == "G");
}

BOOST_AUTO_TEST_CASE(names_without_a_role_and_roles_that_are_taken_twice_are_refused) {
  const fs::path x = file("x.mtx", K_market), K = file("K.mtx", K_market),
                 stif = file("b_STIF1.mtx", K_market);
  BOOST_TEST(contains(refusal([&] { read_model({x}); }), "--mass FILE"));
  BOOST_TEST(contains(refusal([&] { read_model({K, stif}); }), "both the stiffness"));
  BOOST_TEST(contains(refusal([&] { read_model({file("E.mtx", M_market)}); }), "E beside M and K"));
}

BOOST_AUTO_TEST_CASE(names_that_say_two_roles_are_refused) {
  for (const char* const name :
       {"damping_stiffness.mtx", "massMatrix_K.mtx", "damping.sti", "structural_mass.mtx", "stiffness-A.mtx"})
    BOOST_TEST(contains(refusal([&] { read_model({file(name, "1 1 2\n")}); }), "is ambiguous"), name);
  // No words of their own.
  for (const char* const name : {"undamped.mtx", "massless.mtx", "masses_of_stiffeners.mtx"})
    BOOST_TEST(contains(refusal([&] { read_model({file(name, K_market)}); }),
                        "the role of the matrix follows neither from its name"),
               name);
  const std::string keyword = "*MATRIX INPUT, NAME=A\n";
  BOOST_TEST(contains(refusal([&] { read_model({file("damping.mtx", keyword + "1,1,1,1,2\n")}); }),
                      "means the damping, but the name of the matrix in the file, A"));
  BOOST_TEST(read_model({(folder.path() / "damping.mtx").string() + ":A"}).constraints.has_value());
}

BOOST_AUTO_TEST_CASE(E_is_the_damping_beside_M_and_K) {
  const ModelMatrices model =
      read_model({file("E.mtx", M_market), file("M.mtx", M_market), file("K.mtx", K_market)});
  BOOST_TEST(equal(MultiVector(*model.damping), MultiVector(MultiVector::Identity(2, 2))));
  const fs::path compressed = folder.path() / "E.mtx.gz";
  const gzFile out = gzopen(compressed.c_str(), "wb");
  gzwrite(out, M_market.data(), static_cast<unsigned>(M_market.size()));
  gzclose(out);
  BOOST_TEST(read_model({compressed, file("M.mtx", M_market), file("K.mtx", K_market)}).damping.has_value());
}

BOOST_AUTO_TEST_CASE(matrices_of_other_shapes_in_a_file_of_several_have_no_role) {
  const auto entries = [](const std::string& name, const std::string& form, const std::string& rest) {
    return "DMIG    " + name + "       0       " + form + "       2       0" + rest + "\n";
  };
  const std::string text =
      entries("K", "6", "") + "DMIG    K       1       1               1       1       2.\n" +
      entries("B", "9", "                       1") +
      "DMIG    B       1       0               1       1       5.\n" + entries("C", "6", "") +
      "DMIG    C       1       1               1       1       3.\n";
  const ModelMatrices model = read_model({file("b.pch", text)});
  BOOST_TEST(model.damping->coeff(0, 0) == 3);
  BOOST_TEST(has_remark(model, "Matrix B of "));
  BOOST_TEST(has_remark(model, "1 x 1 and was not used: the damping has one row and one column"));
}

BOOST_AUTO_TEST_CASE(a_system_of_mmess_has_inputs_that_are_no_damping) {
  const fs::path g600 = test::shared_data("mmess/g600.mat");
  if (g600.empty()) return;
  const ModelMatrices model = read_model({g600});
  for (const auto* const matrix : {&model.mass, &model.damping, &model.stiffness})
    BOOST_TEST((*matrix)->rows() == 600);
  BOOST_TEST(model.constraints->rows() == 1);
  BOOST_TEST(has_remark(model, "C of"));
  BOOST_TEST(has_remark(model, "1201 x 1 and was not used"));
  BOOST_TEST(has_remark(model, "A of"));
  BOOST_TEST(has_remark(model, "Every diagonal entry of the stiffness that is not zero is negative"));
}

BOOST_AUTO_TEST_CASE(matrices_of_nlevp_are_named_one_by_one) {
  const fs::path beam = test::shared_data("nlevp/sandwich_beam_168.mat");
  if (beam.empty()) return;
  const auto part = [&](const char* name) { return beam.string() + name; };
  const ModelMatrices model = read_matrices({part(":M"), part(":Kv"), part(":Ke"), {}});
  BOOST_TEST(model.stiffness->rows() == 168);
}

BOOST_AUTO_TEST_CASE(matrices_of_a_punch_file_are_united_by_labels_and_others_remarked) {
  const std::string text =
      "DMIG    KAAX    0       6       2       0\n"
      "DMIG    KAAX    5       1               5       1       2.\n+       7       1       -1.\n"
      "DMIG    KAAX    7       1               7       1       3.\n"
      "DMIG    MAAX    0       6       2       0\n"
      "DMIG    MAAX    7       1               7       1       4.\n"
      "DMIG    MAAX    6       2               6       2       5.\n"
      "DMIG    XYZ     0       6       2       0\n"
      "DMIG    XYZ     7       1               7       1       4.\n";
  const ModelMatrices model = read_model({file("b.pch", text)});
  BOOST_TEST(equal(MultiVector(*model.stiffness), by_rows(3, 3, {2, 0, -1, 0, 0, 0, -1, 0, 3})));
  BOOST_TEST(equal(MultiVector(*model.mass), by_rows(3, 3, {0, 0, 0, 0, 5, 0, 0, 0, 4})));
  BOOST_TEST(model.labels.describe(1, 1) == "DoF 1 (node 6, y)");
  BOOST_TEST(has_remark(model, "Matrix XYZ"));
  BOOST_TEST(has_remark(model, "no rows for 1 of the 3 DoFs"));
  // One of them by its name.
  BOOST_TEST(equal(MultiVector(read_matrix(folder.path() / "b.pch:MAAX")), by_rows(2, 2, {5, 0, 0, 4})));
  BOOST_TEST(contains(refusal([&] { read_matrix(folder.path() / "b.pch"); }), "KAAX, MAAX, XYZ"));
  BOOST_TEST(contains(refusal([&] { read_matrix(folder.path() / "b.pch:Q"); }), "no matrix Q"));
  const std::string both = (folder.path() / "b.pch").string();
  BOOST_TEST(equal(MultiVector(*read_matrices(MatrixFiles{both + ":MAAX", "", both + ":KAAX"}).mass),
                   MultiVector(*model.mass)));
}

BOOST_AUTO_TEST_CASE(labelled_rows_and_others_are_combined_only_by_a_list_of_the_dofs) {
  // Rows 7:1 and 5:1 in the order of the exporter; matrices with labels come in ascending order.
  const fs::path K = file("K.mtx", market + "2 2 2\n1 1 70\n2 2 50\n"),
                 M = file("b_MASS1.mtx", "5,1,5,1,5.\n7,1,7,1,7.\n");
  BOOST_TEST(contains(refusal([&] { read_model({K, M}); }), "--dofs FILE"));
  BOOST_TEST(contains(refusal([&] { read_matrices({M, "", K, {}}); }), "--dofs FILE"));
  const ModelMatrices model = read_model({K, M}, file("dofs.txt", "7 1\n5 x\n"));
  BOOST_TEST(equal(MultiVector(*model.stiffness), by_rows(2, 2, {70, 0, 0, 50})));
  BOOST_TEST(equal(MultiVector(*model.mass), by_rows(2, 2, {7, 0, 0, 5})));
  BOOST_TEST(model.labels.describe(0, 0) == "DoF 0 (node 7, x)");
  BOOST_TEST(contains(refusal([&] {
                        read_model({K, M}, file("dofs.txt", "7 1\n6 1\n"));
                      }),
                      "has a row for node 5, x, which"));
  BOOST_TEST(contains(refusal([&] { read_model({K, M}, file("dofs.txt", "7 1\n")); }), "1 labels"));
  // Constraints, too.
  BOOST_TEST(contains(refusal([&] { read_model({M, file("G.mtx", market + "1 2 1\n1 2 1\n")}); }), "--dofs"));
}

BOOST_AUTO_TEST_CASE(a_list_of_the_dofs_gives_the_order_of_labelled_matrices_or_replaces_their_labels) {
  const fs::path K = file("b_STIF1.mtx", "5,1,5,1,5.\n7,1,7,1,7.\n");
  const ModelMatrices turned = read_model({K}, file("dofs.txt", "7 x\n5 x\n"));
  BOOST_TEST(equal(MultiVector(*turned.stiffness), by_rows(2, 2, {7, 0, 0, 5})));
  BOOST_TEST(turned.remarks.empty());
  const ModelMatrices renamed = read_model({K}, file("dofs.txt", "1 w\n1 phi\n"));
  BOOST_TEST(equal(MultiVector(*renamed.stiffness), by_rows(2, 2, {5, 0, 0, 7})));
  BOOST_TEST(has_remark(renamed, "replace the labels of the matrices"));
  BOOST_TEST(renamed.labels.describe(0, 0) == "DoF 0 (node 1, w)");
  BOOST_TEST(contains(refusal([&] { read_model({K}, file("dofs.txt", "7 x\n6 x\n")); }), "node 5, x"));
}

BOOST_AUTO_TEST_CASE(numbered_rows_with_labels_beside_them_and_others_correspond) {
  file("b.dof", "7.1\n5.1\n");
  const ModelMatrices model = read_model({file("b.sti", "1 1 2\n2 2 3\n"), file("M.mtx", M_market)});
  BOOST_TEST(model.labels.describe(0, 0) == "DoF 0 (node 7, x)");
  BOOST_TEST(model.stiffness->coeff(0, 0) == 2);
}

BOOST_AUTO_TEST_CASE(labels_that_repeat_cannot_be_united) {
  const fs::path K = file("b.sti", "1 1 2\n2 2 2\n");
  file("b.dof", "3.1\n3.1\n");
  const ModelMatrices model = read_model({K});
  BOOST_TEST(has_remark(model, "2 DoFs have 1 different labels"));
  const fs::path M = file("b_MASS1.mtx", "3,1,3,1,2.\n4,1,4,1,2.\n");
  BOOST_TEST(contains(refusal([&] { read_model({K, M}); }), "several rows for node 3, x"));
}

BOOST_AUTO_TEST_CASE(lists_of_abaqus_without_a_size_grow_to_that_of_the_stiffness_and_others_do_not) {
  const fs::path K = file("b_STIF1.mtx", "1 1 2\n2 2 2\n3 3 1\n"), M = file("b_MASS1.mtx", "1 1 5\n");
  const ModelMatrices model = read_model({M, K});
  BOOST_TEST(equal(MultiVector(*model.mass), by_rows(3, 3, {5, 0, 0, 0, 0, 0, 0, 0, 0})));
  BOOST_TEST(has_remark(model, "last 2 of the 3 rows"));
  BOOST_TEST(contains(refusal([&] { read_model({file("M.mtx", M_market), K}); }), "2 x 2"));
}

BOOST_AUTO_TEST_CASE(internal_nodes_of_abaqus_have_labels) {
  const ModelMatrices model = read_model({file("b_STIF1.mtx", "-3,1,-3,1,2.\n4,1,4,1,2.\n4,11,4,11,1.\n")});
  BOOST_TEST(model.labels.describe(0, 0) == "DoF 0 (internal node -3, x)");
  BOOST_TEST(model.labels.describe(2, 2) == "DoF 2 (node 4, component 11)");
}

BOOST_AUTO_TEST_CASE(complex_stiffness_and_damping_have_imaginary_parts_and_a_complex_mass_is_refused) {
  const std::string text =
      "DMIG    KAAX    0       6       4       0\nDMIG    KAAX    5       1               5       1       2. "
      "     0.1\n";
  const fs::path K = file("k.pch", text);
  const ModelMatrices model = read_model({K});
  BOOST_TEST(model.stiffness->coeff(0, 0) == 2);
  BOOST_TEST(model.structural_damping->coeff(0, 0) == 0.1);
  BOOST_TEST(contains(refusal([&] { read_matrix(K); }), "complex"));
  std::string real = text;
  real.replace(real.find("0.1"), 3, "0.0");
  BOOST_TEST(!read_model({file("k.pch", real)}).structural_damping);
  BOOST_TEST(read_matrix(folder.path() / "k.pch").coeff(0, 0) == 2);
  file("k.pch", text);
  const auto renamed = [&](const std::string& name) {
    std::string other = text;
    for (std::size_t at; (at = other.find("KAAX")) != std::string::npos;)
      other.replace(at, 4, name);
    return other;
  };
  BOOST_TEST(contains(refusal([&] { read_model({file("m.pch", renamed("MAAX"))}); }), "complex"));
  const ModelMatrices damped = read_model({K, file("c.pch", renamed("BAAX"))});
  BOOST_TEST(damped.damping->coeff(0, 0) == 2);
  BOOST_TEST(damped.imaginary_damping->coeff(0, 0) == 0.1);
}

BOOST_AUTO_TEST_CASE(complex_matrix_market_files_are_read_and_zero_imaginary_parts_dropped) {
  const std::string mark = "%%MatrixMarket matrix coordinate complex ";
  const fs::path K = file("K.mtx", mark + "symmetric\n2 2 3\n1 1 4 0.5\n2 1 -1 0.25\n2 2 3 0\n");
  const ModelMatrices model = read_model({K});
  BOOST_TEST(equal(MultiVector(*model.stiffness), by_rows(2, 2, {4, -1, -1, 3})));
  BOOST_TEST(equal(MultiVector(*model.structural_damping), by_rows(2, 2, {0.5, 0.25, 0.25, 0})));
  const fs::path H = file("K.mtx", mark + "hermitian\n2 2 2\n1 1 4 0\n2 1 -1 0.25\n");
  BOOST_TEST(equal(MultiVector(*read_model({H}).structural_damping), by_rows(2, 2, {0, -0.25, 0.25, 0})));
  BOOST_TEST(contains(refusal([&] { read_model({file("K.mtx", mark + "hermitian\n1 1 1\n1 1 4 1\n")}); }),
                      "diagonal"));
  const fs::path real = file("K.mtx", mark + "general\n2 2 2\n1 1 4 0\n2 2 3 0\n");
  BOOST_TEST(!read_model({real}).structural_damping);
  BOOST_TEST(read_matrix(real).coeff(0, 0) == 4);
  const fs::path array =
      file("K.mtx", "%%MatrixMarket matrix array complex general\n2 2\n1 0\n0 0\n0 5\n2 -1\n");
  BOOST_TEST(equal(MultiVector(*read_model({array}).stiffness), by_rows(2, 2, {1, 0, 0, 2})));
  BOOST_TEST(equal(MultiVector(*read_model({array}).structural_damping), by_rows(2, 2, {0, 5, 0, -1})));
}

BOOST_AUTO_TEST_CASE(constraints_have_a_column_for_each_dof) {
  const fs::path K = file("K.mtx", K_market);
  const ModelMatrices model = read_model({K, file("G.mtx", market + "1 2 2\n1 1 1\n1 2 -1\n")});
  BOOST_TEST(equal(MultiVector(*model.constraints), by_rows(1, 2, {1, -1})));
  BOOST_TEST(contains(refusal([&] { read_model({K, file("G.mtx", market + "1 3 1\n1 1 1\n")}); }), "1 x 3"));
  const std::string wide = market + "1 2 1\n1 1 1\n";
  BOOST_TEST(contains(refusal([&] { read_model({file("K.mtx", wide)}); }), "not square"));
}

BOOST_AUTO_TEST_CASE(remarks_name_empty_equations_penalties_and_double_multipliers) {
  const ModelMatrices empty = read_model({file("K.mtx", market + "3 3 3\n1 1 1\n2 2 0\n3 3 1\n")});
  BOOST_TEST(has_remark(empty, "1 of the 3 equations are empty in all matrices: DoF 1."));
  const ModelMatrices fixed =
      read_model({file("K.mtx", market + "3 3 3\n1 1 1\n2 2 1e36\n3 3 1.00000000000001e36\n")});
  BOOST_TEST(has_remark(fixed, "1e36 at 2 DoFs: DoF 1, DoF 2."));
  // Two springs whose ends are tied by one constraint u_0 = u_1, with two multipliers -1, 1 between them.
  const ModelMatrices tied = read_model({file("K.mtx",
                                              "%%MatrixMarket matrix array real general\n4 "
                                              "4\n5\n0\n2\n2\n0\n5\n-2\n-2\n2\n-2\n-2\n2\n2\n-2\n2\n-2\n")});
  BOOST_TEST(has_remark(tied, "1 pairs of double Lagrange multipliers"));
  BOOST_TEST(read_model({file("K.mtx", K_market)}).remarks.empty());
}

BOOST_AUTO_TEST_CASE(a_rotor_of_ansys_has_the_frequency_that_its_source_gives) {
  const fs::path mass = test::shared_data("exudyn/ansys/rotorAnsysMassMatrixSparse.txt"),
                 stiffness = test::shared_data("exudyn/ansys/rotorAnsysStiffnessMatrixSparse.txt");
  if (mass.empty() || stiffness.empty()) return;
  const ModelMatrices model = read_model({mass, stiffness});
  // EXUDYN's example gives 104.637013 Hz for the first flexible mode, after six rigid ones.
  // LAPACK finds 104.6370105508 Hz.
  const double seventh = frequencies(model)[6];
  BOOST_TEST(seventh == 104.637013, boost::test_tools::tolerance(5e-8));
  BOOST_TEST(seventh == 104.6370105508, boost::test_tools::tolerance(1e-10));
  const DoFLabels labels =
      read_dof_labels(test::shared_data("exudyn/ansys/rotorAnsysMatrixDofMappingVector.txt"), 345);
  BOOST_TEST(labels.describe(0, 0) == "DoF 0 (node 3, x)");
  BOOST_TEST(labels.describe(5, 5) == "DoF 5 (node 31, z)");
}

BOOST_AUTO_TEST_CASE(blocks_of_abaqus_have_six_rigid_modes) {
  const fs::path mass = test::shared_data("exudyn/abaqus/blockC3D8_MASS1.mtx"),
                 stiffness = test::shared_data("exudyn/abaqus/blockC3D8_STIF1.mtx");
  if (mass.empty() || stiffness.empty()) return;
  const Vector all = frequencies(read_model({mass, stiffness}));
  BOOST_TEST(all[5] < 1e-3 * all[6]);
  // The first bending mode of a free beam of 4 m x 1 m x 1 m by Euler's theory is 22.373 sqrt(E I / (m L^4))
  // / (2 pi); shear makes a thick beam softer.
  const double euler = 22.373 / (2 * std::acos(-1.)) * std::sqrt(2e11 / 12 / (2900. * 256));
  BOOST_TEST(all[6] < euler);
  BOOST_TEST(all[6] > 0.6 * euler);
}

BOOST_AUTO_TEST_SUITE_END()
