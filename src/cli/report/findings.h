// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/plots/plot.h>

#include "html_page.h"
#include <string>
#include <vector>

namespace halfdof::cli {

constexpr int picture_width = 520;  ///< least width of a picture of one plot [pixels]

/// A report while it is written: its page, and what its sections have found.
class Findings {
 public:
  explicit Findings(std::string title) : page(std::move(title)) {}

  HtmlPage page;
  std::vector<std::string> warnings;    ///< one sentence or more each
  std::vector<HtmlPage::Row> verified;  ///< what was verified, its error, the limit of it, the result
  bool agrees = true;                   ///< whether all that was compared agrees and nothing has failed

  /// Adds a comparison. @param passes whether the error is within its limit
  void verify(const std::string& what, double error, double limit, bool passes);

  /// Adds a figure of pictures with curves, or the reason why gnuplot could not draw it.
  void draw(const std::vector<Plot>& plots, const std::string& caption);

  /// Writes a part of the page. An error of the library ends this part only, and is a warning of the report.
  template <class Write>
  void part(const std::string& name, const Write& write) {
    try {
      write();
    } catch (const Error& error) {
      fail(name, error.what());
    }
  }

 private:
  void fail(const std::string& name, const std::string& reason);

  int n_pictures_ = 0;
  bool lacks_gnuplot_ = false;
};

}  // namespace halfdof::cli
