// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>

#include <iosfwd>
#include <string>

/**
 * @file
 * Functions that write each kind of panel as lines of a gnuplot script. Lengths are pixels, measured from
 * the lower left corner of the picture.
 */
namespace halfdof::internal::panel_script {

/// Widths of the margins around the axes [pixels].
struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// The rectangle of the axes [pixels].
struct Frame {
  double left = 0, bottom = 0, width = 0, height = 0;
};

/// The size of the whole picture [pixels].
struct Canvas {
  double width = 0, height = 0;
};

/// Checks a panel. @throws InvalidInput if there is nothing to draw
void check(const CurvePanel& panel);
void check(const MeshPanel& panel);

/// Returns the margins for axes of `width` pixels. The number of lines of the legend depends on the width.
Margins margins(const CurvePanel& panel, double width);
Margins margins(const MeshPanel& panel, double width);

/// Returns the height of axes of `width` pixels. @param alone Whether the picture has only one row of panels
double height(const CurvePanel& panel, double width, bool alone);
double height(const MeshPanel& panel, double width, bool alone);

/// Writes the commands that draw a panel. @param number A number that makes the names of data blocks unique
void draw(std::ostream& script, const CurvePanel& panel, const Frame& frame, const Canvas& canvas,
          int number);
void draw(std::ostream& script, const MeshPanel& panel, const Frame& frame, const Canvas& canvas, int number);

/// Returns text as a string literal of gnuplot in single quotes. Single quotes in the text are escaped, and
/// control characters are replaced by blanks.
std::string quoted(const std::string& text);

/// Writes the commands that set the position of the axes, and the title at the given distance above the axes.
void write_axes_position(std::ostream& script, const std::string& title, double distance, const Frame& frame,
                         const Canvas& canvas);

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `step`.
double round_step(double step);

/// Returns the number of characters of UTF-8 text.
int n_characters(const std::string& text);

inline constexpr const char* ink = "#333333";
inline constexpr double line_height = 22;

}  // namespace halfdof::internal::panel_script
