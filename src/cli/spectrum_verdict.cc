// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spectrum_verdict.h"

#include <halfdof/base/constants.h>
#include <halfdof/base/number_text.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Returns advice for spectra that do not agree.
std::string advice_on(const SpectrumComparison& comparison, bool has_dropped) {
  if (!comparison.uncertain().empty())
    return "Rounding of the matrices' entries alone may change some by more than that limit; "
           "--tolerance sets it.";
  if (comparison.is_cut_between_equally_far())
    return "Eigenvalues that are in one list only are as far from the shift as the last ones of both lists, "
           "and a search may find any of several equally distant eigenvalues. Ask for more or fewer with "
           "--count, or move the shift nearer to some.";
  if (has_dropped) return "Columns that are nearly null were dropped: lower --null-tolerance.";
  if (comparison.before.is_exact)
    return "Those before the elimination are exact, so rounding in the elimination has changed, or lost, "
           "those after it: parts of the model differ by more orders of magnitude than double precision can "
           "represent together, or an eigenvalue is defective (it has fewer eigenvectors than its "
           "multiplicity). `halfdof inspect` prints the "
           "condition. Write the model in parts, or set entries to zero that should be zero.";
  double fastest = 0;
  for (const Complex value : comparison.after.finite)
    fastest = std::max(fastest, std::abs(value));
  constexpr double many = 1e4;
  if (const double differs = comparison.fastest_that_differs();
      comparison.is_whole && differs > 0 && fastest > many * differs)
    return "The computation of all eigenvalues has errors relative to the fastest one, of " +
           number_text(fastest) + " 1/s; those that differ are not faster than " + number_text(differs) +
           " 1/s, so that they have too few correct digits. Ask for these by --count and a --shift near "
           "them.";
  return "Look at the condition and at the nearly null columns that `halfdof inspect` prints.";
}

}  // namespace

ExitCode verdict(const SpectrumComparison& comparison, bool has_dropped) {
  if (comparison.passed && !comparison.n_searched) return agreed;
  std::cout.flush();
  if (!comparison.before.reliable) {
    std::cerr << "halfdof: it is not known whether the spectra agree, since the one before the elimination "
                 "is not reliable: "
              << comparison.before.reason << ". Ask for some with --count to compare them.\n";
    return falls_short;
  }
  if (comparison.abandoned_shift) {
    std::cerr << "halfdof: the eigenvalues nearest to the shift that was asked for lie so close together "
                 "that the search with this shift cannot separate them. Give a shift among them, as the one "
                 "of the list, or ask for fewer or for all.\n";
    return falls_short;
  }
  if (const auto& counted = comparison.counted; counted && !counted->count.n) {
    std::cerr << "halfdof: the eigenvalues of the " << (comparison.band ? "band" : "rectangle")
              << " cannot be counted: " << counted->count.reason
              << (comparison.band
                      ? ". Take other limits of the band, in gaps between frequencies, or leave out "
                        "strongly damped eigenvalues by --max-decay.\n"
                      : ". Move the sides of the rectangle into gaps between eigenvalues.\n");
    return falls_short;
  } else if (counted && counted->n_found > *counted->count.n) {
    std::cerr << "halfdof: the searches found " << counted->n_found << " eigenvalues in the rectangle from "
              << number_text(counted->counted.lower_left) << " to "
              << number_text(counted->counted.upper_right) << " 1/s, but only " << *counted->count.n
              << " were counted: the count is wrong, or an eigenvalue lies on the rim. Move the sides.\n";
    return falls_short;
  } else if (counted && !counted->is_complete()) {
    std::cerr << "halfdof: there are " << *counted->count.n << " eigenvalues in the rectangle from "
              << number_text(counted->counted.lower_left) << " to "
              << number_text(counted->counted.upper_right) << " 1/s, but the searches found "
              << counted->n_found << ". Look for those that are missing by --count and a --shift in it.\n";
    return falls_short;
  }
  if (comparison.counted && comparison.completeness == Completeness::unknown && comparison.matching.passed) {
    const std::string from = number_text(comparison.counted->counted.lower_left.imag() / (2 * pi));
    std::cerr
        << "halfdof: whether strongly damped vibrations have frequencies below " << from
        << " Hz is not known, because not all eigenvalues that do not oscillate were found. Take a band from "
        << from << " Hz on, or list those below by --region.\n";
    return falls_short;
  }
  if (comparison.n_searched && comparison.matching.passed) {
    std::cerr
        << "halfdof: fewer eigenvalues of this --kind were found than --count asks for: the search ends "
           "with the "
        << *comparison.n_searched
        << " nearest to the shift. Move the shift to where more of them are expected, for example to i "
           "omega with omega = 2 pi times a frequency for vibrations.\n";
    return falls_short;
  }
  if (const auto& certificate = comparison.certificate; certificate && !certificate->counted.n) {
    std::cerr << "halfdof: --certify was asked for, but the eigenvalues cannot be counted: "
              << certificate->counted.reason
              << ". Ask for more or fewer with --count, so that a gap follows the last of them and no "
                 "multiple eigenvalue is listed in part, or take another --shift.\n";
    return falls_short;
  } else if (certificate && !certificate->is_complete()) {
    std::cerr << "halfdof: " << *certificate->counted.n << " eigenvalues lie within " << certificate->radius
              << " 1/s of the shift, but the search found there " << certificate->n_listed
              << ". Ask for more of them, or take another shift.\n";
    return falls_short;
  }
  if (comparison.completeness == Completeness::unknown && comparison.matching.passed) {
    std::cerr
        << "halfdof: whether the list holds all eigenvalues nearest to the shift is not known: a second "
           "search beside them did not end, or zeros are less certain than other eigenvalues of the list. "
           "Ask for another number, or have them counted by --certify.\n";
    return falls_short;
  }
  if (comparison.n_unchecked > 0) {
    std::cerr
        << "halfdof: nothing is known of " << comparison.n_unchecked
        << " eigenvalues, whose residuals leave the range of numbers. Write the model in other units.\n";
    return falls_short;
  }
  if (comparison.matching.passed) {
    std::cerr << "halfdof: both spectra agree, but some eigenpairs do not satisfy P x = 0 well enough: the "
                 "largest residual is "
              << comparison.max_residual << " and the largest backward error "
              << comparison.max_backward_error << " (limit " << comparison.residual_tolerance << "). "
              << (comparison.uncertain().empty()
                      ? "Look at the condition and at the nearly null columns that `halfdof inspect` prints."
                      : "These eigenvalues are ill conditioned: rounding of the entries of M, C and K alone "
                        "moves some of them by more than --tolerance.")
              << '\n';
    return falls_short;
  }
  std::cerr
      << "halfdof: the spectra before and after the elimination do not agree: largest relative difference "
      << comparison.max_relative_difference << " (limit " << comparison.difference_tolerance << "), "
      << comparison.matching.missing.size() << " missing, " << comparison.matching.extra.size()
      << " extra, largest backward error " << comparison.max_backward_error << " (limit "
      << comparison.residual_tolerance << "). " << advice_on(comparison, has_dropped) << '\n';
  return falls_short;
}

}  // namespace halfdof::cli
