#include <halfdof/base/errors.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "spectrum/spectra.h"
#include <sstream>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

ReducedSystem<EigenEngine> reduced(const DenseSystem& system) {
  return reduce(assemble<EigenEngine>(system));
}

ReducedSystem<EigenEngine> reduced(const SparseSystem& system) {
  return reduce(assembled_system<EigenEngine>(EigenMatrix(system.M()), EigenMatrix(system.C()),
                                              EigenMatrix(system.K())));
}

std::string printed(const SpectrumComparison& comparison, std::size_t n_rows = 40) {
  std::ostringstream out;
  comparison.print(out, n_rows);
  return out.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(the_engine_mount_keeps_its_spectrum) {
  const auto mount = reduced(engine_mount());
  for (const SpectrumComparison& spectra : {compare_all(mount), compare_spectra(mount, 12)}) {
    BOOST_TEST(spectra.passed);
    BOOST_TEST(spectra.before.reliable);
    BOOST_TEST(spectra.before.n_infinite == 2);
    BOOST_TEST(farthest(spectra.before.finite, engine_mount_eigenvalues()) < 1e-11);
    BOOST_TEST(farthest(spectra.after.finite, engine_mount_eigenvalues()) < 1e-11);
    BOOST_TEST(spectra.max_relative_difference < 1e-11);
    BOOST_TEST(spectra.residuals.size() == 4u);
    BOOST_TEST(spectra.max_residual < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(the_unsymmetric_example_keeps_its_exact_spectrum) {
  const SpectrumComparison spectra = compare_all(reduced(three_kinds()));
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.before.n_infinite == 3);
  BOOST_TEST(farthest(spectra.before.finite, three_kinds_eigenvalues()) < 1e-13);
  BOOST_TEST(farthest(spectra.after.finite, three_kinds_eigenvalues()) < 1e-13);
}

BOOST_AUTO_TEST_CASE(random_permuted_systems_of_all_kinds_keep_their_spectra) {
  for (const unsigned seed : {1u, 2u, 3u, 4u})
    for (const auto& [n_I, n_C, n_K] : {std::tuple(6, 0, 0), {5, 4, 0}, {5, 0, 4}, {0, 6, 3}, {8, 6, 5}}) {
      for (const DenseSystem& system :
           {random_unsymmetric(n_I, n_C, n_K, seed), random_symmetric(n_I, n_C, n_K, seed)}) {
        const SpectrumComparison spectra = compare_all(reduced(system));
        BOOST_TEST(spectra.passed);
        BOOST_TEST(spectra.before.reliable);
        BOOST_TEST(spectra.before.n_infinite == 2 * n_K + n_C);
        // QZ loses digits with the condition of the eigenvalues, hardly more than six of random matrices.
        BOOST_TEST(spectra.max_relative_difference < 1e-8);
      }
    }
}

BOOST_AUTO_TEST_CASE(statics_has_nothing_to_compare) {
  const auto statics = reduced(random_unsymmetric(0, 0, 4, 1));
  for (const SpectrumComparison& spectra : {compare_all(statics), compare_spectra(statics, 3)}) {
    BOOST_TEST(spectra.passed);
    BOOST_TEST(spectra.before.n_infinite == 8);
    BOOST_TEST(spectra.after.finite.empty());
  }
}

BOOST_AUTO_TEST_CASE(rigid_bodies_agree_in_their_double_zeros) {
  const auto beam = reduced(lattice_beam(4, false));
  const SpectrumComparison all = compare_all(beam);
  BOOST_TEST(all.passed);
  BOOST_TEST(all.before.n_infinite == 0);
  BOOST_TEST(all.matching.pairs.front().in_cluster);
  for (const Index k : {12, 20})
    BOOST_TEST(compare_spectra(beam, k).passed);
}

BOOST_AUTO_TEST_CASE(the_slowest_modes_of_a_lattice_agree) {
  const SpectrumComparison spectra = compare_spectra(reduced(lattice_beam(20, true)), 16);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.after.finite.size() == 16u);
  BOOST_TEST(spectra.max_relative_difference < 1e-10);
}

BOOST_AUTO_TEST_CASE(a_cut_through_equally_far_eigenvalues_is_no_difference) {
  // -5 and +-5i are equally far from zero: each side may take another one.
  SparseSystem system(2);
  system.add_mass(0, 1);
  system.add_spring(0, 25);
  system.add_damper(1, 1);
  system.add_spring(1, 5);
  for (const Index k : {1, 2, 3})
    BOOST_TEST(compare_spectra(reduced(system), k).passed);
}

BOOST_AUTO_TEST_CASE(where_counts_contradict_residuals_decide) {
  // A mass of rounding size: QZ takes it for none, but its column is not null.
  DenseSystem system = engine_mount();
  system.M(1, 1) = 1e-30;
  const SpectrumComparison spectra = compare_all(reduced(system));
  BOOST_TEST(!spectra.before.reliable);
  BOOST_TEST(contains(spectra.before.reason, "det P has degree 5"));
  BOOST_TEST(!spectra.matching.passed);
  BOOST_TEST(contains(printed(spectra), "before is not reliable"));
}

BOOST_AUTO_TEST_CASE(the_table_says_what_every_mode_does) {
  const std::string table = printed(compare_all(reduced(engine_mount())));
  BOOST_TEST(contains(table, "-0.6897228097 +- 17.70591511i"));
  BOOST_TEST(contains(table, "oscillating"));
  BOOST_TEST(contains(table, "relaxing"));
  BOOST_TEST(contains(table, "2.81798"));  // 17.7059 / 2 pi [Hz]
  BOOST_TEST(contains(table, "before: 4 finite and 2 infinite"));
  BOOST_TEST(contains(table, "the spectra agree"));
  BOOST_TEST(contains(printed(compare_all(reduced(engine_mount())), 1), "... and 2 rows more"));
}

BOOST_AUTO_TEST_CASE(too_many_dofs_for_all_eigenvalues_are_refused) {
  SparseSystem chain(2101);
  add_chain(chain, 0, 2101, 1);
  BOOST_CHECK_THROW(compare_all(reduced(chain)), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
