// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/model_files.h>

#include <boost/test/unit_test.hpp>

#include "program.h"
#include <complex>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

ComplexMultiVector complex_matrix(const std::filesystem::path& file) {
  const internal::FileMatrix matrix = internal::read_content(file).matrices.at(0);
  ComplexMultiVector result(matrix.real.rows(), matrix.real.cols());
  result.real() = MultiVector(matrix.real);
  result.imag().setZero();
  if (matrix.imaginary.size() > 0) result.imag() = MultiVector(matrix.imaginary);
  return result;
}

ComplexMultiVector complex_market(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(line == "%%MatrixMarket matrix array complex general");
  Index n_rows = 0, n_columns = 0;
  in >> n_rows >> n_columns;
  ComplexMultiVector result(n_rows, n_columns);
  for (Index j = 0; j < n_columns; ++j)
    for (Index i = 0; i < n_rows; ++i) {
      double real = 0, imaginary = 0;
      in >> real >> imaginary;
      result(i, j) = {real, imaginary};
    }
  BOOST_TEST(!in.fail());
  return result;
}

/// The largest residual of P(lambda) x = 0 in the rows of free DoFs, relative to its terms.
double residual(const DenseSystem& system, const std::vector<Index>& constrained, Complex lambda,
                const ComplexVector& x) {
  ComplexVector rest = lambda * lambda * (system.M * x) + lambda * (system.C * x) + system.K * x;
  for (const Index dof : constrained) {
    rest[dof] = 0;
    BOOST_TEST(x[dof] == Complex(0));
  }
  const double m = std::abs(lambda);
  const Vector terms =
      (m * m * system.M.cwiseAbs() + m * system.C.cwiseAbs() + system.K.cwiseAbs()) * x.cwiseAbs();
  return rest.cwiseAbs().maxCoeff() / terms.maxCoeff();
}

class Written : public Terminal {
 public:
  /// Asks for the shapes of all eigenvalues in each format, and checks them.
  void check_shapes(const DenseSystem& system, const std::vector<Index>& constrained = {}) const {
    Arguments given = model(system);
    if (!constrained.empty()) {
      std::string list;
      for (const Index dof : constrained)
        list += std::to_string(dof) + "\n";
      file("constrained.txt", list);
      given.insert(given.end(), {"--constrained", "constrained.txt"});
    }
    for (const char* const name : {"s.mtx", "s.npz", "s.mat"}) {
      const auto answer = json("modes", given, {"--all", "--shapes", name});
      const ComplexMultiVector x = name == std::string("s.mtx")
                                       ? complex_market(text_of(path() / name))
                                       : complex_matrix(path() / (name + std::string(":shapes")));
      BOOST_REQUIRE(x.cols() == static_cast<Index>(answer["modes"].size()));
      BOOST_REQUIRE(x.rows() == system.K.rows());
      for (Index j = 0; j < x.cols(); ++j) {
        const auto& value = answer["modes"][static_cast<std::size_t>(j)]["eigenvalue"];
        const Complex lambda(value[0].get<double>(), value[1].get<double>());
        BOOST_TEST(residual(system, constrained, lambda, x.col(j)) <= 1e-9);
        BOOST_TEST(x.col(j).cwiseAbs().maxCoeff() == 1, boost::test_tools::tolerance(1e-12));
        if (name != std::string("s.mtx"))
          BOOST_TEST(std::abs(complex_matrix(path() / (name + std::string(":eigenvalues")))(j, 0) - lambda) ==
                     0);
      }
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(written_files, Written)

BOOST_AUTO_TEST_CASE(shapes_satisfy_the_equations_of_the_assembled_model) {
  check_shapes(random_unsymmetric(3, 2, 2, 3));
  check_shapes(random_unsymmetric(4, 1, 3, 5), {1, 6});
}

BOOST_AUTO_TEST_CASE(copies_of_an_eigenvalue_have_different_shapes_and_rigid_motions_repeat_theirs) {
  // Two equal oscillators, and two masses on a spring, which also move together.
  DenseSystem system{MultiVector::Identity(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.K.diagonal() << 4, 4, 9, 9;
  system.K(2, 3) = system.K(3, 2) = -9;
  check_shapes(system);
  const Run result = run(command("modes", model(system), {"--all", "--shapes", "s.npz", "--json", "j.json"}));
  BOOST_TEST(contains(result.err, "1 of the 5 shapes are combinations of others"), result.err);
  const ComplexMultiVector x = complex_matrix(path() / "s.npz:shapes");
  const Eigen::JacobiSVD<ComplexMultiVector> svd(x);
  BOOST_TEST(svd.singularValues()[3] > 0.1);
  BOOST_TEST(run(command("modes", model(system), {"--shapes", "s.txt"})).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(reduced_systems_are_written_for_pymor_numpy_and_octave) {
  for (const char* const form : {"dense", "pencil"}) {
    const Run result = run(command(
        "reduce", data_model("engine_mount"),
        {"--output", "out", "--form", form, "--observe", "0", "2", "--format", "abcde", "npz", "octave"}));
    BOOST_TEST(result.exit_code == 0, result.err);
    const bool is_pencil = form == std::string("pencil");
    const auto matrix = [&](const std::string& name) {
      return MultiVector(read_matrix(path() / "out" / name));
    };
    for (const auto& [extension, name] :
         {std::pair{"A", "A"}, {"B", "B"}, {"C", "C_o"}, {"D", "D_o"}, {"E", "E"}}) {
      if (name == std::string("E") && !is_pencil) continue;
      const MultiVector expected = matrix(std::string(name) + ".mtx");
      BOOST_TEST((matrix(std::string("state_space.") + extension) - expected).norm() == 0);
      BOOST_TEST((matrix(std::string("state_space.npz:") + name) - expected).norm() == 0);
    }
    BOOST_TEST(std::filesystem::exists(path() / "out/state_space.E") == is_pencil);
    BOOST_TEST(contains(text_of(path() / "out/README.md"), "from_abcde_files"));
    if (std::system("command -v octave-cli >/dev/null 2>&1") != 0) {
      BOOST_TEST_MESSAGE("skipped: there is no octave-cli");
      continue;
    }
    const std::string octave =
        "cd '" + path().string() + "' && octave-cli --no-init-file out/state_space.m >octave.txt 2>&1";
    BOOST_TEST(std::system(octave.c_str()) == 0, text_of(path() / "octave.txt"));
    BOOST_TEST(contains(text_of(path() / "octave.txt"), "4 states, checked"));
    std::string script = text_of(path() / "out/state_space.m");
    const std::size_t at = script.find("complex(") + 8;
    file("out/state_space.m", script.replace(at, 1, "9"));
    BOOST_TEST(std::system(octave.c_str()) != 0, "a wrong eigenvalue was not found");
  }
  const Run none = run(command("reduce", data_model("engine_mount"),
                               {"--output", "none", "--form", "pencil", "--format", "abcde"}));
  BOOST_TEST(none.exit_code == 2);
  BOOST_TEST(contains(none.err, "need an output matrix C"));
}

BOOST_AUTO_TEST_SUITE_END()
