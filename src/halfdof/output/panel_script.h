#pragma once

#include <halfdof/output/plot.h>

#include <iosfwd>
#include <string>

/**
 * @file
 * How each kind of panel becomes lines of a gnuplot script. Lengths are pixels, counted from the lower left
 * corner of the picture. Used by write_png() only.
 */
namespace halfdof::panel_script {

/// Room around the axes.
struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// The rectangle of the axes.
struct Frame {
  double left = 0, bottom = 0, width = 0, height = 0;
};

struct Canvas {
  double width = 0, height = 0;
};

/// @throws InvalidInput if there is nothing to draw
void check(const CurvePanel& panel);
void check(const MeshPanel& panel);

/// For axes of `width` pixels (the legend needs lines according to it).
Margins margins(const CurvePanel& panel, double width);
Margins margins(const MeshPanel& panel, double width);

/// Height of axes that are `width` wide.
double height(const CurvePanel& panel, double width, bool alone);
double height(const MeshPanel& panel, double width, bool alone);

/// `number` makes the names of data unique.
void draw(std::ostream& script, const CurvePanel& panel, const Frame& frame, const Canvas& canvas,
          int number);
void draw(std::ostream& script, const MeshPanel& panel, const Frame& frame, const Canvas& canvas, int number);

/// As gnuplot takes text literally: in single quotes, a quote itself joined on in double quotes, control
/// characters blank.
std::string quoted(const std::string& text);

/// Places the axes, and the title above them with `room` between.
void place(std::ostream& script, const std::string& title, double room, const Frame& frame,
           const Canvas& canvas);

/// The smallest of 1, 2, 5 times a power of ten that is not below `step`.
double round_step(double step);

/// Characters of UTF-8 text.
int n_characters(const std::string& text);

inline constexpr const char* ink = "#333333";
inline constexpr double line_height = 22;

}  // namespace halfdof::panel_script
