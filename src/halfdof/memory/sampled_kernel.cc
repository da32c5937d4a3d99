// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/sampled_memory.h>

#include <cmath>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

constexpr double max_samples = 1e8;

Index n_steps(double step, double memory) {
  if (!(step > 0) || !(memory >= step) || memory / step > max_samples)
    throw InvalidInput("The step of the samples of a memory kernel is " + number_text(step) +
                       " s, and the length of the memory " + number_text(memory) +
                       " s. The step must be positive, and the memory must have from 1 to 1e8 steps.");
  return static_cast<Index>(std::ceil(memory / step * (1 - 1e-12)));
}

}  // namespace

void check_sampled_kernel(const SampledKernel& kernel) {
  const Index m = kernel.n_contacts();
  const Eigen::Index n_columns = kernel.L_inf.cols();
  const auto has_shape = [m](const MultiVector& matrix, Eigen::Index columns) {
    return matrix.rows() == m && matrix.cols() == columns && matrix.allFinite();
  };
  const auto fits = [&](const MultiVector& matrix) { return has_shape(matrix, n_columns); };
  bool all_fit =
      m > 0 && n_columns >= m && has_shape(kernel.K_r, m) && has_shape(kernel.C_r, m) && fits(kernel.L_inf);
  for (const std::vector<MultiVector>* samples : {&kernel.L_1, &kernel.L_2})
    for (const MultiVector& sample : *samples)
      all_fit = all_fit && fits(sample);
  if (!all_fit || kernel.L_1.size() < 2 || kernel.L_1.size() != kernel.L_2.size())
    throw InvalidInput("A sampled memory kernel of " + std::to_string(m) + " contacts has " +
                       std::to_string(kernel.L_1.size()) + " samples L_1 of the kernel and " +
                       std::to_string(kernel.L_2.size()) +
                       " samples L_2 of its integral. At least two samples of each are needed, in equal "
                       "number. All matrices must be finite and have one row and one column for each "
                       "contact; L_inf, L_1 and L_2 may have further columns for loads.");
  if (!(kernel.step > 0) || std::isinf(kernel.step))
    throw InvalidInput("The step of the samples of a memory kernel is " + number_text(kernel.step) +
                       " s, but must be positive and finite.");
}

SampledKernel sampled_kernel(const MemoryEquation& equation, double step, double memory) {
  const ContactModes& modes = equation.modes();
  const Index m = modes.n_contacts(), n = n_steps(step, memory);
  const bool moves_instantaneously = modes.W_K.any() || modes.W_f.any();
  if (equation.n_resolved() > 2 * m || moves_instantaneously)
    throw InvalidInput(
        "The memory kernel cannot be sampled, because " +
        std::string(moves_instantaneously
                        ? "reactions or loads displace the contacts without delay (W_K or W_f is not zero)"
                        : "the resolved modes have coordinates in addition to the motion of the contacts") +
        ". Give the modes to the integrator ModalMemory instead.");
  SampledKernel kernel{step,
                       -equation.A().bottomLeftCorner(m, m),
                       -equation.A().bottomRightCorner(m, m),
                       side_by_side({equation.L_inf(), equation.L_inf_of_loads()}).bottomRows(m),
                       {},
                       {},
                       omitted_memory(equation, n * step).bottomRows(m)};
  const MultiVector B = side_by_side({modes.B, modes.B_f}),
                    jump = side_by_side({equation.V_B(), equation.V_f()}).bottomRows(m),
                    N = equation.kernel_output_matrix().bottomRows(m);
  std::vector<BlockExponential> exponentials;
  for (const MultiVector& J : modes.J)
    exponentials.push_back(block_exponential(J, step));
  // X = e^{J tau} B. In one step the integral of L^1 increases by h L^1, plus the integral of the increase of
  // L^1 within the step.
  MultiVector X = B, L_1 = MultiVector::Zero(m, B.cols()), L_2 = L_1;
  for (Index k = 0; k <= n; ++k) {
    kernel.L_1.push_back(jump + L_1);
    kernel.L_2.push_back(L_2 + k * step * jump);
    L_2 += step * L_1;
    Eigen::Index first = 0;
    for (const BlockExponential& of : exponentials) {
      const Eigen::Index size = of.E.rows();
      const auto kernel_output = N.middleCols(first, size);
      const MultiVector before = X.middleRows(first, size);
      L_1 += kernel_output * (of.F_1 * before);
      L_2 += kernel_output * (of.F_2 * before);
      X.middleRows(first, size) = of.E * before;
      first += size;
    }
  }
  return kernel;
}

SampledKernel sampled_kernel(const StringKernel& string, double step, double memory) {
  const auto one = [](double value) { return MultiVector::Constant(1, 1, value); };
  const Index n = n_steps(step, memory);
  SampledKernel kernel{step,
                       one(string.stiffness()),
                       one(string.damping()),
                       one(string.L_inf()),
                       {},
                       {},
                       one(string.omitted_memory(n * step))};
  for (Index k = 0; k <= n; ++k) {
    kernel.L_1.push_back(one(string.L_1(k * step)));
    kernel.L_2.push_back(one(string.L_2(k * step)));
  }
  return kernel;
}

SampledKernel sampled_kernel(double step, const std::vector<MultiVector>& G, const MultiVector& compliance,
                             double frequency, double damping_ratio) {
  if (!(frequency > 0) || !(damping_ratio >= 0) || !std::isfinite(frequency * damping_ratio))
    throw InvalidInput(
        "The resolved mode of a measured response has the frequency " + number_text(frequency) +
        " rad/s and the damping ratio " + number_text(damping_ratio) +
        ". The frequency must be positive, the damping ratio must not be negative, and both must be "
        "finite.");
  if (compliance.rows() != compliance.cols())
    throw InvalidInput("The compliance of a measured response is " + std::to_string(compliance.rows()) +
                       " x " + std::to_string(compliance.cols()) +
                       ", but must be a square matrix with one row for each contact.");
  const MultiVector I = MultiVector::Identity(compliance.rows(), compliance.cols());
  const double K_r = frequency * frequency, C_r = 2 * damping_ratio * frequency;
  SampledKernel kernel{step, K_r * I, C_r * I, K_r * compliance, {}, {}};
  MultiVector once = 0 * I, twice = once,
              L_2 = once;  // integral and double integral of G, and integral of L^1
  for (std::size_t k = 0; k < G.size(); ++k) {
    if (G[k].rows() != I.rows() || G[k].cols() != I.rows())
      throw InvalidInput("Sample " + std::to_string(k) + " of a measured response is " +
                         std::to_string(G[k].rows()) + " x " + std::to_string(G[k].cols()) +
                         ", but the compliance is " + std::to_string(I.rows()) + " x " +
                         std::to_string(I.cols()) + ". Give matrices of equal size.");
    if (k > 0) {
      twice += step * once + step * step * (2 * G[k - 1] + G[k]) / 6;
      once += step * (G[k - 1] + G[k]) / 2;
    }
    kernel.L_1.push_back(G[k] + C_r * once + K_r * twice - static_cast<double>(k) * step * kernel.L_inf);
    if (k > 0) L_2 += step * (kernel.L_1[k - 1] + kernel.L_1[k]) / 2;
    kernel.L_2.push_back(L_2);
  }
  check_sampled_kernel(kernel);
  return kernel;
}

}  // namespace halfdof
