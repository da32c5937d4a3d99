// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/diagnosis/index_certificate.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

constexpr double rate = 0.7;

FreeSystem<EigenEngine> free_system(const DenseSystem& system) {
  return FreeSystem<EigenEngine>(assemble<EigenEngine>(system));
}

IndexCertificate certificate_of(const DenseSystem& system) {
  return certify_index_two(free_system(system), rate);
}

/// By the ranks of dense matrices, with eigenvalues that rounding makes finite taken as infinite; nothing
/// where the pencil is singular.
std::optional<Index> companion_index(const DenseSystem& system) {
  const Diagnosis diagnosis =
      diagnose(assemble<EigenEngine>(system), SingularElimination("", {{"D", {}, "", ""}}));
  return diagnosis.index_companion ? diagnosis.index_companion : diagnosis.index_companion_if_infinite;
}

MultiVector matrix(std::initializer_list<std::initializer_list<double>> rows) {
  MultiVector A(rows.size(), rows.begin()->size());
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (const double entry : row)
      A(i, j++) = entry;
    ++i;
  }
  return A;
}

/// B^T (S + W) B with a definite S and a skew W, of the given rank: it has Property (K), and a kernel of its
/// own.
MultiVector with_property_K(RandomNumbers& random, Index n, Index rank, double skewness) {
  const MultiVector B = random.matrix(rank, n), W = random.matrix(rank, rank);
  return B.transpose() * (MultiVector::Identity(rank, rank) + skewness * (W - W.transpose())) * B;
}

void check_refused(const DenseSystem& system, const std::string& why) {
  const IndexCertificate found = certificate_of(system);
  BOOST_TEST(!found.holds);
  BOOST_TEST(found.text.find(why) != std::string::npos, found.text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_certificates)

BOOST_AUTO_TEST_CASE(dissipative_systems_with_kernels_everywhere_are_certified_and_have_index_two_at_most) {
  RandomNumbers random(3);
  bool reaches_two = false;
  for (Index k = 0; k < 40; ++k) {
    const Index n = 3 + k % 4, rank_M = k % 3, rank_C = k / 3 % 3;
    const double skewness = k % 2;
    DenseSystem system{with_property_K(random, n, rank_M, 0), with_property_K(random, n, rank_C, skewness),
                       with_property_K(random, n, n, skewness)};
    if (k % 5 == 0) system.M = with_property_K(random, n, rank_M, 1);
    const IndexCertificate found = certificate_of(system);
    BOOST_TEST(found.holds, found.text);
    const auto index = companion_index(system);
    BOOST_REQUIRE(index);
    BOOST_TEST(*index <= 2);
    reaches_two = reaches_two || *index == 2;
  }
  BOOST_TEST(reaches_two);
}

BOOST_AUTO_TEST_CASE(whatever_is_certified_among_small_integers_has_index_two_at_most) {
  RandomNumbers random(11);
  int n_certified = 0, n_above = 0;
  for (int k = 0; k < 3000; ++k) {
    const auto entries = [&](double share) {
      return MultiVector(random.matrix(2, 2).unaryExpr(
          [&](double x) { return std::abs(x) < share ? 0. : std::round(1.5 * x); }));
    };
    const DenseSystem system{entries(0.8), entries(0.6), entries(0.2)};
    const auto index = companion_index(system);
    if (!index) continue;
    n_above += *index > 2;
    if (!certificate_of(system).holds) continue;
    ++n_certified;
    BOOST_TEST(*index <= 2);
  }
  BOOST_TEST(n_certified > 100);
  BOOST_TEST(n_above > 100);
}

BOOST_AUTO_TEST_CASE(each_hypothesis_is_missed_where_it_fails) {
  const MultiVector one = MultiVector::Identity(2, 2), none = MultiVector::Zero(2, 2),
                    first = matrix({{1, 0}, {0, 0}}), skew = matrix({{0, 1}, {-1, 0}}),
                    shear = matrix({{0, 1}, {0, 0}});
  BOOST_TEST(certificate_of({first, none, one}).holds);
  // Of index four, and P = 1: Proposition 3.3 as printed says at most one.
  check_refused({first, matrix({{0, 1}, {1, 0}}), one}, "C is not semidefinite");
  // A multiplier.
  check_refused({first, none, matrix({{1, 1}, {1, 0}})}, "not definite");
  // Gyroscopic forces: x^T C x = 0 for all x, and C x is not.
  check_refused({first, skew, one}, "or its kernel is larger than the kernel of C");
  check_refused({shear, none, one}, "M and its transpose");
}

BOOST_AUTO_TEST_CASE(units_do_not_change_what_is_certified) {
  RandomNumbers random(5);
  DenseSystem system{with_property_K(random, 5, 2, 0), with_property_K(random, 5, 2, 1),
                     with_property_K(random, 5, 5, 1)};
  Vector unit(5);
  unit << 1e-4, 1, 1e5, 1e-6, 1e3;
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    *A = unit.asDiagonal() * *A * unit.asDiagonal();
  const IndexCertificate found = certificate_of(system);
  BOOST_TEST(found.holds, found.text);
}

BOOST_AUTO_TEST_SUITE_END()
