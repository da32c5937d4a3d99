// SPDX-License-Identifier: LGPL-2.1-or-later
// Eigenvalues nearest zero of lambda^2 M + lambda C + K by SLEPc. Usage: slepc_pep <folder with M.mtx, C.mtx
// and K.mtx> <number of eigenvalues> [options of PETSc and SLEPc]
//
// Prints the seconds of processor time from matrices to eigenvalues, without reading, the same with a second
// search from another start, which uses the first one's factorization and looks for eigenvalues that it
// missed, then the eigenvalues, real and imaginary parts.

#include <halfdof/base/profile.h>

#include <slepcpep.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace {

void require(PetscErrorCode code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s failed.\n", what);
  std::exit(EXIT_FAILURE);
}

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Entry {
  PetscInt row, column;
  double value;
};

/// A square matrix, all entries of which the file lists.
Mat read(const std::string& file) {
  std::ifstream in(file);
  while (in.peek() == '%')
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  PetscInt n = 0, n_columns = 0;
  std::size_t n_entries = 0;
  if (!(in >> n >> n_columns >> n_entries)) require(1, ("Reading " + file).c_str());
  std::vector<Entry> entries(n_entries);
  std::vector<PetscInt> n_in_row(static_cast<std::size_t>(n), 0);
  for (Entry& entry : entries) {
    in >> entry.row >> entry.column >> entry.value;
    ++n_in_row[static_cast<std::size_t>(--entry.row)];
    --entry.column;
  }
  Mat A = nullptr;
  require(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, n_in_row.data(), &A), "MatCreateSeqAIJ");
  for (const Entry& entry : entries)
    require(MatSetValue(A, entry.row, entry.column, entry.value, INSERT_VALUES), "MatSetValue");
  require(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  require(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
  require(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  return A;
}

/// TOAR with shift and inversion at zero, where MUMPS factorizes a symmetric indefinite matrix.
PEP solver(Mat (&matrices)[3], PetscInt n_eigenvalues) {
  PEP pep = nullptr;
  ST transformation = nullptr;
  KSP solver = nullptr;
  PC factorization = nullptr;
  require(PEPCreate(PETSC_COMM_SELF, &pep), "PEPCreate");
  require(PEPSetOperators(pep, 3, matrices), "PEPSetOperators");
  require(PEPSetProblemType(pep, PEP_HERMITIAN), "PEPSetProblemType");
  require(PEPSetType(pep, PEPTOAR), "PEPSetType");
  require(PEPSetDimensions(pep, n_eigenvalues, PETSC_DEFAULT, PETSC_DEFAULT), "PEPSetDimensions");
  require(PEPSetTarget(pep, 0.), "PEPSetTarget");
  require(PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE), "PEPSetWhichEigenpairs");
  require(PEPGetST(pep, &transformation), "PEPGetST");
  require(STSetType(transformation, STSINVERT), "STSetType");
  require(STGetKSP(transformation, &solver), "STGetKSP");
  require(KSPSetType(solver, KSPPREONLY), "KSPSetType");
  require(KSPGetPC(solver, &factorization), "KSPGetPC");
  require(PCSetType(factorization, PCCHOLESKY), "PCSetType");
  require(PCFactorSetMatSolverType(factorization, MATSOLVERMUMPS), "PCFactorSetMatSolverType");
  require(PEPSetFromOptions(pep), "PEPSetFromOptions");
  return pep;
}

/// The next search starts from another vector than the first one.
void start_elsewhere(PEP pep, Mat matrix) {
  Vec start = nullptr;
  PetscRandom random = nullptr;
  require(MatCreateVecs(matrix, &start, nullptr), "MatCreateVecs");
  require(PetscRandomCreate(PETSC_COMM_SELF, &random), "PetscRandomCreate");
  require(PetscRandomSetSeed(random, 2), "PetscRandomSetSeed");
  require(PetscRandomSeed(random), "PetscRandomSeed");
  require(VecSetRandom(start, random), "VecSetRandom");
  require(PEPSetInitialSpace(pep, 1, &start), "PEPSetInitialSpace");
  require(PetscRandomDestroy(&random), "PetscRandomDestroy");
  require(VecDestroy(&start), "VecDestroy");
}

}  // namespace

int main(int n_arguments, char** arguments) {
  halfdof::keep_freed_memory();
  require(SlepcInitialize(&n_arguments, &arguments, nullptr, nullptr), "SlepcInitialize");
  if (n_arguments < 3) require(1, "Reading the folder and the number of eigenvalues from the command line");
  const std::string folder = arguments[1];
  Mat matrices[] = {read(folder + "/K.mtx"), read(folder + "/C.mtx"), read(folder + "/M.mtx")};

  const double start = processor_time();
  PEP pep = solver(matrices, std::atoi(arguments[2]));
  require(PEPSolve(pep), "PEPSolve");
  std::printf("%.6g\n", processor_time() - start);
  start_elsewhere(pep, matrices[0]);
  require(PEPSolve(pep), "PEPSolve");
  std::printf("%.6g\n", processor_time() - start);

  PetscInt n_found = 0;
  require(PEPGetConverged(pep, &n_found), "PEPGetConverged");
  for (PetscInt i = 0; i < n_found; ++i) {
    PetscScalar real_part = 0, imaginary_part = 0;
    require(PEPGetEigenpair(pep, i, &real_part, &imaginary_part, nullptr, nullptr), "PEPGetEigenpair");
    std::printf("%.17g %.17g\n", real_part, imaginary_part);
  }
  require(PEPDestroy(&pep), "PEPDestroy");
  for (Mat& matrix : matrices)
    require(MatDestroy(&matrix), "MatDestroy");
  return SlepcFinalize() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
