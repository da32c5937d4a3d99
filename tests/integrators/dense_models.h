// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "exact_solution.h"
#include "nonsmooth_models.h"
#include <functional>

/// Models with inclusions on DoFs of every kind, written out densely from their definitions.
namespace halfdof::test {

/// One direction on one DoF: friction with r in [lower, upper], or a contact without these.
struct DenseLaw {
  Index dof;
  bool is_contact;
  double lower = 0, upper = 0;
};

inline DenseLaw rub(Index dof, double lower, double upper) {
  return {dof, false, lower, upper};
}
inline DenseLaw wall(Index dof) {
  return {dof, true};
}

/// What the laws are met by, affine in the reactions.
using Met = std::function<Vector(const Vector& r)>;

/// The reactions with which every law is obeyed: of all combinations of rest and slip, of open and closed.
class Reactions {
 public:
  explicit Reactions(const std::vector<DenseLaw>& laws) : laws_(laws) {}

  Vector solve(const Met& met) {
    const auto m = static_cast<Eigen::Index>(laws_.size());
    b_ = met(Vector::Zero(m));
    W_ = MultiVector(m, m);
    for (Eigen::Index j = 0; j < m; ++j)
      W_.col(j) = met(Vector::Unit(m, j)) - b_;
    found_.clear();
    std::vector<Choice> choices;
    choose(choices);
    BOOST_TEST_REQUIRE(found_.size() == 1u);
    return found_.front();
  }

 private:
  /// A law at rest has what it is met by equal to zero, another a reaction that is known.
  struct Choice {
    bool rests;
    double r;
    double sign;  ///< of what it is met by
  };

  std::vector<Choice> choices_of(const DenseLaw& law) const {
    if (law.is_contact) return {{true, 0, 0}, {false, 0, 1}};
    return {{true, 0, 0}, {false, law.lower, 1}, {false, law.upper, -1}};
  }

  void choose(std::vector<Choice>& choices) {
    if (choices.size() == laws_.size()) return look_at(choices);
    for (const Choice& choice : choices_of(laws_[choices.size()])) {
      choices.push_back(choice);
      choose(choices);
      choices.pop_back();
    }
  }

  void look_at(const std::vector<Choice>& choices) {
    MultiVector equations = W_;
    Vector rhs = -b_;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const auto j = static_cast<Eigen::Index>(i);
      if (choices[i].rests) continue;
      equations.row(j) = Vector::Unit(b_.size(), j).transpose();
      rhs[j] = choices[i].r;
    }
    const Vector r = equations.fullPivLu().solve(rhs), met = W_ * r + b_;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const auto j = static_cast<Eigen::Index>(i);
      if (!choices[i].rests && choices[i].sign * met[j] < 0) return;
      if (choices[i].rests && laws_[i].is_contact && r[j] < 0) return;
      if (choices[i].rests && !laws_[i].is_contact && (r[j] < laws_[i].lower || r[j] > laws_[i].upper))
        return;
    }
    found_.push_back(r);
  }

  const std::vector<DenseLaw>& laws_;
  MultiVector W_;
  Vector b_;
  std::vector<Vector> found_;
};

/// A system with full unsymmetric blocks, whose diagonals dominate so that laws push forward.
inline DenseSystem dominant(DenseSystem system) {
  const auto [I, C, K, D] = dense_elimination(system);
  for (const Index i : I)
    system.M(i, i) += 6;
  for (const Index i : C)
    system.C(i, i) += 6;
  for (const Index i : K)
    system.K(i, i) += 6;
  return system;
}

/// D, A and the outputs, from their definitions.
struct DenseModel {
  DenseSystem system;
  std::vector<DenseLaw> laws;
  HarmonicLoad load = HarmonicLoad::random(system.size(), 2., 72);
  DenseElimination elimination = dense_elimination(system);
  Index n_I = static_cast<Index>(elimination.I.size()), n_C = static_cast<Index>(elimination.C.size());

  NonsmoothModel<> model(std::optional<double> e) const {
    std::vector<Inclusion> all;
    for (const DenseLaw& law : laws)
      all.push_back(inclusion("law " + std::to_string(all.size()),
                              law.is_contact ? contact(0., is_inertial(law.dof) ? e : std::nullopt)
                                             : friction(law.lower, law.upper),
                              on(law.dof)));
    return NonsmoothModel<>(system, all, load);
  }
  bool is_inertial(Index dof) const {
    return std::find(elimination.I.begin(), elimination.I.end(), dof) != elimination.I.end();
  }

  /// H r on all DoFs.
  Vector force(const Vector& r) const {
    Vector f = Vector::Zero(system.size());
    for (std::size_t i = 0; i < laws.size(); ++i)
      f[laws[i].dof] += r[static_cast<Eigen::Index>(i)];
    return f;
  }

  /// What follows from a state and a load: y', and all displacements, rates of inertial and viscous DoFs and
  /// accelerations of inertial ones by the DoF.
  struct Motion {
    Vector y_rate, q, v, a;
  };
  Motion motion(const Vector& y, const Vector& f) const {
    const auto& [I, C, K, D] = elimination;
    const Vector q_I = y.head(n_I), q_C = y.segment(n_I, n_C), v_I = y.tail(n_I);
    const Vector x = D.fullPivLu().solve(f - system.C(Eigen::all, I) * v_I - system.K(Eigen::all, I) * q_I -
                                         system.K(Eigen::all, C) * q_C);
    Motion all{Vector(y.size()), Vector(system.size()), Vector::Zero(system.size()),
               Vector::Zero(system.size())};
    all.y_rate << v_I, x.segment(n_I, n_C), x.head(n_I);
    all.q(I) = q_I;
    all.q(C) = q_C;
    all.q(K) = x.tail(static_cast<Eigen::Index>(K.size()));
    all.v(I) = v_I;
    all.v(C) = x.segment(n_I, n_C);
    all.a(I) = x.head(n_I);
    return all;
  }

  /// B f.
  Vector input(const Vector& f) const { return motion(Vector::Zero(2 * n_I + n_C), f).y_rate; }
};

}  // namespace halfdof::test
