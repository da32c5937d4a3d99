// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/QR>

#include "../systems.h"
#include <initializer_list>
#include <string>
#include <vector>

/// Models of any structure whose number of states is known, since they are made of blocks and then mixed.
namespace halfdof::test {

struct MixedModel {
  std::string blocks;  ///< what it is made of
  DenseSystem system;
  Index n_states = 0;  ///< degree of det P
};

namespace mixed {

inline double integer(RandomNumbers& random, Index largest) {
  const double value = 1 + random.below(largest);
  return random() < 0 ? -value : value;
}

/// M, C and K as sums of a few entries.
struct Entry {
  char matrix;
  Index i, j;
  double value;
};

struct Block {
  const char* name;
  Index size, n_states;
  std::vector<Entry> entries;
};

inline Block nilpotent(char matrix, Index size) {
  Block block{matrix == 'M' ? "chain of masses" : "chain of dampers", size, 0, {}};
  for (Index i = 0; i < size; ++i)
    block.entries.push_back({'K', i, i, 1});
  for (Index i = 0; i + 1 < size; ++i)
    block.entries.push_back({matrix, i, i + 1, 1});
  return block;
}

inline Block random_block(RandomNumbers& random) {
  const auto any = [&] { return integer(random, 4); };
  switch (random.below(11)) {
    case 0:
      return {"mass", 1, 2, {{'M', 0, 0, any()}, {'C', 0, 0, any()}, {'K', 0, 0, any()}}};
    case 1:
      return {"free mass", 1, 2, {{'M', 0, 0, any()}}};
    case 2:
      return {"damper", 1, 1, {{'C', 0, 0, any()}, {'K', 0, 0, any()}}};
    case 3:
      return {"spring", 1, 0, {{'K', 0, 0, any()}}};
    case 4:
      return {"multiplier of a position", 2, 0, {{'M', 0, 0, any()}, {'K', 0, 1, 1}, {'K', 1, 0, 1}}};
    case 5:
      return {"multiplier of a position between masses",
              3,
              2,
              {{'M', 0, 0, 1},
               {'M', 1, 1, 2},
               {'K', 0, 0, any()},
               {'C', 1, 1, any()},
               {'K', 0, 2, 1},
               {'K', 1, 2, -1},
               {'K', 2, 0, 1},
               {'K', 2, 1, -1}}};
    case 6:
      return {"multiplier of a rate in C",
              2,
              2,
              {{'M', 0, 0, any()}, {'K', 0, 0, any()}, {'C', 0, 1, 1}, {'C', 1, 0, 1}}};
    case 7:
      return {"multiplier of a rate",
              2,
              1,
              {{'M', 0, 0, any()}, {'C', 1, 0, 1}, {'K', 1, 0, any()}, {'K', 0, 1, 1}}};
    case 8:
      return {"servo constraint",
              3,
              0,
              {{'M', 0, 0, 1},
               {'M', 1, 1, 2},
               {'K', 0, 0, 1},
               {'K', 0, 1, -1},
               {'K', 1, 0, -1},
               {'K', 1, 1, 3},
               {'K', 1, 2, 1},
               {'K', 2, 0, 1}}};
    case 9:
      return nilpotent('C', 2 + random.below(3));
    default:
      return nilpotent('M', 2 + random.below(3));
  }
}

inline void add(const Block& block, MixedModel& model) {
  const Index n = model.system.size(), m = n + block.size;
  for (const auto& [name, A] :
       {std::pair('M', &model.system.M), {'C', &model.system.C}, {'K', &model.system.K}}) {
    A->conservativeResize(m, m);
    A->rightCols(block.size).setZero();
    A->bottomRows(block.size).setZero();
    for (const Entry& entry : block.entries)
      if (entry.matrix == name) (*A)(n + entry.i, n + entry.j) += entry.value;
  }
  model.n_states += block.n_states;
  model.blocks +=
      std::string(model.blocks.empty() ? "" : ", ") + block.name + " (" + std::to_string(block.size) + ")";
}

}  // namespace mixed

/// Some blocks, at least `least` DoFs.
inline MixedModel block_model(RandomNumbers& random, Index least) {
  MixedModel model{"", {MultiVector(0, 0), MultiVector(0, 0), MultiVector(0, 0)}, 0};
  while (model.system.size() < least)
    mixed::add(mixed::random_block(random), model);
  return model;
}

/// A chain at infinity of a given length beside a mass and a damper.
inline MixedModel chain_model(char matrix, Index size) {
  MixedModel model{"", {MultiVector(0, 0), MultiVector(0, 0), MultiVector(0, 0)}, 0};
  mixed::add(mixed::nilpotent(matrix, size), model);
  mixed::add({"mass", 1, 2, {{'M', 0, 0, 1}, {'C', 0, 0, 1}, {'K', 0, 0, 3}}}, model);
  mixed::add({"damper", 1, 1, {{'C', 0, 0, 1}, {'K', 0, 0, 2}}}, model);
  return model;
}

/// A product of elementary matrices with small integers, of determinant one.
inline MultiVector unimodular(RandomNumbers& random, Index n, Index n_factors) {
  MultiVector T = MultiVector::Identity(n, n);
  for (Index k = 0; k < n_factors && n > 1; ++k) {
    const Index i = random.below(n), j = (i + 1 + random.below(n - 1)) % n;
    T.row(i) += mixed::integer(random, 2) * T.row(j);
  }
  return T;
}

inline MultiVector rotation(RandomNumbers& random, Index n) {
  const Eigen::HouseholderQR<MultiVector> qr(random.matrix(n, n));
  return qr.householderQ();
}

}  // namespace halfdof::test
