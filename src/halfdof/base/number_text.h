// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <complex>
#include <string>

namespace halfdof::internal {

/// Formats a real number for messages, with up to ten digits: "2.5", "1e-09", "nan". std::to_string would
/// print 1e-9 as "0.000000".
std::string number_text(double number);
/// Formats a real number in scientific notation for files, with a decimal point in every locale: "1.5e-03".
/// @param n_digits Number of significant digits @param exponent_mark 'e' or 'E'
std::string scientific_text(double number, int n_digits, char exponent_mark);
/// Formats a complex number: "-1 + 20i".
std::string number_text(std::complex<double> number);

}  // namespace halfdof::internal
