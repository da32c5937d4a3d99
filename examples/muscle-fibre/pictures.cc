// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures.h"

#include <string>

using namespace halfdof;

namespace {

/// Returns the stride of the sarcomeres that are shown, so that a panel has at most six curves.
int stride(const Fibre& fibre) {
  return (fibre.n_sarcomeres + 5) / 6;
}

CurvePanel forces(const Fibre& fibre, const FibreMotion& motion) {
  CurvePanel panel{"Activation, and friction of the slide", {"time [-]"}, {"force [-]"}};
  for (int i = 0; i < fibre.n_sarcomeres; i += stride(fibre)) {
    const Vector u = motion.time.unaryExpr([&](double t) { return fibre.activation(t)[i]; });
    panel.curves.push_back({"sarcomere " + std::to_string(i + 1), motion.time, u});
  }
  panel.curves.push_back({"friction", motion.time, motion.r, CurveStyle::dashed_line});
  return panel;
}

/// Returns a panel of the displacements or rates of the Z-disks and the slide, q_1, ..., q_N.
CurvePanel at_disks(const Fibre& fibre, const FibreMotion& motion, const MultiVector& values,
                    const char* title, const char* prime) {
  CurvePanel panel{title, {"time [-]"}, {prime[0] == 0 ? "displacement [-]" : "rate [-]"}};
  for (int i = fibre.n_sarcomeres; i > 0; i -= stride(fibre)) {
    const std::string name = "q_" + std::to_string(i) + prime;
    panel.curves.push_back(
        {i < fibre.n_sarcomeres ? name : name + " (slide)", motion.time, values.col(3 * i)});
  }
  return panel;
}

}  // namespace

void draw(const Fibre& fibre, const FibreMotion& motion, const CurvePanel& errors,
          const std::filesystem::path& file) {
  Plot plot;
  plot.title =
      "A muscle fibre of " + std::to_string(fibre.n_sarcomeres) + " sarcomeres pulls a slide that rubs";
  plot.n_columns = 2;
  plot.width = 1200;
  for (CurvePanel panel :
       {forces(fibre, motion), at_disks(fibre, motion, motion.q, "Displacements of Z-disks", ""),
        at_disks(fibre, motion, motion.v, "Rates: those of Z-disks follow the derivative of the activation",
                 "'"),
        errors}) {
    panel.height = 240;
    plot.panels.push_back(std::move(panel));
  }
  write_png(plot, file);
}
