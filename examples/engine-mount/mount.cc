// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mount.h"

using namespace halfdof;

MultiVector Mount::M() const {
  MultiVector M = MultiVector::Zero(3, 3);
  M(0, 0) = m;
  return M;
}

MultiVector Mount::C() const {
  MultiVector C(3, 3);
  C << C_rs, -C_rs, 0,  //
      -C_rs, C_rs, 0,   //
      0, 0, C_h;
  return C;
}

MultiVector Mount::K() const {
  MultiVector K(3, 3);
  K << K_r + K_v, 0, -K_v,  //
      0, K_rs, 0,           //
      -K_v, 0, K_v + K_s;
  return K;
}

Complex Mount::dynamic_stiffness(double omega) const {
  const auto in_series = [](Complex a, Complex b) { return a * b / (a + b); };
  const Complex s(0, omega);
  return K_r + in_series(s * C_rs, K_rs) + in_series(K_v, K_s + s * C_h);
}

std::vector<Complex> eigenvalues_of_the_mount() {
  return {-3.174193404469245,
          -8.779694309560127,
          {-0.689722809651981, 17.705915112406586},
          {-0.689722809651981, -17.705915112406586}};
}

AssembledSystem<EigenEngine> assemble(const MultiVector& M, const MultiVector& C, const MultiVector& K) {
  SystemDescription<EigenEngine> description;
  description.mass = EigenMatrix(M.sparseView(0, 0));
  description.damping = EigenMatrix(C.sparseView(0, 0));
  description.stiffness = EigenMatrix(K.sparseView(0, 0));
  description.labels.component_names = {"mass y", "rubber node y_1", "oil node y_2"};
  description.labels.component = {0, 1, 2};
  return AssembledSystem<EigenEngine>(std::move(description));
}
