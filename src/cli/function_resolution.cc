// SPDX-License-Identifier: LGPL-2.1-or-later
#include "function_resolution.h"

#include <cmath>
#include <set>
#include <sstream>

namespace halfdof::cli {

namespace {

/// Number of smooth pieces of a function that are checked, and largest number of pieces that a run can
/// follow.
constexpr int n_looked_at = 10000;
constexpr double most_pieces = 1e7;

/// Relative to the run; shorter pieces are kinks.
constexpr double shortest_piece = 1e-12;

struct Piece {
  double begin, length;  ///< [s]
};

/// The shortest smooth piece, and the estimated number of pieces in the run.
struct Pieces {
  Piece shortest;
  double number;
};

/// Pieces that end at a kink or at the end of the run are ignored for the shortest one.
Pieces pieces_of(const ScalarFunction& function, double begin, double end) {
  Pieces all{{begin, end - begin}, 0};
  double time = begin;
  int n = 0;
  for (; time < end && n < n_looked_at; ++n) {
    const SmoothInterval piece = function.smooth_interval(time, end, shortest_piece * (end - begin));
    const double length = piece.end - time;
    if (!piece.ends_abruptly && piece.end < end && length < all.shortest.length)
      all.shortest = {time, length};
    time = piece.next;
  }
  all.number = n * (end - begin) / (time - begin);
  return all;
}

}  // namespace

std::vector<ScalarFunction> functions_of_loads(const CaseFile& given) {
  std::vector<ScalarFunction> all;
  for (const CaseSection& load : given.loads)
    for (const ScalarFunction& function : load.all_functions())
      all.push_back(function);
  return all;
}

std::vector<std::string> resolution_warnings(const CaseFile& given, const Inclusions<Engine>& inclusions,
                                             double step) {
  const double begin = given.begin, end = given.settings.end;
  std::vector<ScalarFunction> functions = functions_of_loads(given);
  for (const Inclusion& inclusion : inclusions.acting())
    for (const ScalarFunction* function : inclusion.law->functions_of_time())
      functions.push_back(*function);

  std::vector<std::string> warnings;
  std::set<std::string> named;
  for (const ScalarFunction& function : functions) {
    if (!(begin < end) || !named.insert(function.description()).second) continue;
    const Pieces pieces = pieces_of(function, begin, end);
    std::ostringstream text;
    const bool is_cut = pieces.shortest.length < end - begin;
    if (is_cut && std::isfinite(step) && step > pieces.shortest.length)
      text << "A step of " << step << " s does not resolve \"" << function.description()
           << "\", which changes within " << pieces.shortest.length << " s at " << pieces.shortest.begin
           << " s: its changes between the ends of steps are lost. Take much shorter steps, or event-driven.";
    else if (!std::isfinite(step) && pieces.number > most_pieces)
      text << "The formula \"" << function.description() << "\" needs about " << pieces.number
           << " steps to be resolved until " << end << " s. Give a smoother one, or an earlier end.";
    if (!text.str().empty()) warnings.push_back(text.str());
  }
  return warnings;
}

}  // namespace halfdof::cli
