// SPDX-License-Identifier: LGPL-2.1-or-later
#include "findings.h"

namespace halfdof::cli {

void Findings::verify(const std::string& what, double error, double limit, bool passes) {
  verified.push_back({what, error, limit, passes ? "passed" : "failed"});
  agrees = agrees && passes;
}

void Findings::draw(const std::vector<Plot>& plots, const std::string& caption) {
  constexpr int least_width = 440;  // the letters are still readable [pixels]
  try {
    std::vector<std::string> pictures;
    for (const Plot& plot : plots)
      pictures.push_back(svg_element(plot, "picture" + std::to_string(++n_pictures_), caption));
    page.figure(pictures, caption, least_width);
  } catch (const NotAvailable& error) {
    page.paragraph(error.what());
    if (!lacks_gnuplot_) warnings.emplace_back(error.what());
    lacks_gnuplot_ = true;
  }
}

void Findings::fail(const std::string& name, const std::string& reason) {
  page.paragraph("This part could not be computed: " + reason);
  warnings.push_back(name + " could not be computed: " + reason);
  agrees = false;
}

}  // namespace halfdof::cli
