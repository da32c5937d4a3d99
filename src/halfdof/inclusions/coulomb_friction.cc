// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/coulomb_slip.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/laws.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

using namespace internal;
namespace {

std::vector<ScalarFunction> support_functions(ScalarFunction obstacle,
                                              std::vector<ScalarFunction> tangential) {
  tangential.insert(tangential.begin(), std::move(obstacle));
  return tangential;
}

std::vector<ScalarFunction> resting_supports(Index n_tangents) {
  if (n_tangents != 1 && n_tangents != 2) {
    throw InvalidInput("Coulomb friction has " + std::to_string(n_tangents) +
                       " tangents, but must have one tangent in the plane or two tangents in space. For a "
                       "contact without friction "
                       "take unilateral contact.");
  }
  return std::vector<ScalarFunction>(static_cast<std::size_t>(n_tangents));
}

/// Selects, among some candidates for the reaction of a contact, the candidate with the smallest residual of
/// the natural map.
class BestCandidate {
 public:
  BestCandidate(const Law& law, const LawParameters& parameters, const LocalMatrix& W, LocalConstView b)
      : law_(law), parameters_(parameters), W_(W), b_(b), rho_(static_cast<double>(W.rows()) / W.trace()) {}

  void offer(const LocalVector& r) {
    if (!r.allFinite()) return;
    const LocalVector w = W_ * r + b_;
    const double residual = law_.natural_residual(parameters_, rho_, w, r) / (r.norm() + rho_ * b_.norm());
    if (residual < residual_) {
      residual_ = residual;
      best_ = r;
    }
  }
  double residual() const { return residual_; }
  const LocalVector& reaction() const { return best_; }

 private:
  const Law& law_;
  const LawParameters& parameters_;
  const LocalMatrix& W_;
  LocalConstView b_;
  double rho_;
  double residual_ = std::numeric_limits<double>::infinity();
  LocalVector best_;
};

bool is_in_friction_cone(LocalConstView r, double mu) {
  return r[0] >= 0 && r.tail(r.size() - 1).norm() <= mu * r[0];
}

/// Computes the reaction of a contact that slips in the plane; the slip direction of the guess is tried
/// first.
/// @return whether such a reaction exists
bool slip_in_plane(const LocalMatrix& W, LocalConstView b, double mu, double guess, LocalView r,
                   BestCandidate& candidates) {
  for (const double sign : {guess < 0 ? -1. : 1., guess < 0 ? 1. : -1.}) {
    const double d = W(0, 0) + sign * mu * W(0, 1);
    if (!(d > 0)) continue;
    LocalVector trial(2);
    trial[0] = -b[0] / d;
    trial[1] = sign * mu * trial[0];
    const double w_t = W(1, 0) * trial[0] + W(1, 1) * trial[1] + b[1];
    if (sign * w_t <= 0) {
      r = trial;
      return true;
    }
    candidates.offer(trial);
  }
  return false;
}

/// Computes the reaction of a contact that slips in space. Newton's method starts from the guess r, then from
/// the reaction `stick` of a contact without slip; if both fail, all zeros of a polynomial are computed.
/// @return whether such a reaction was found
bool slip_in_space(const LocalMatrix& W, LocalConstView b, double mu, const LocalVector& stick, LocalView r,
                   BestCandidate& candidates) {
  const CoulombSlip slip(W, b, mu);
  Eigen::Vector3d reaction = r;
  if (slip.find_near(reaction, reaction) || slip.find_near(Eigen::Vector3d(stick), reaction)) {
    r = reaction;
    return true;
  }
  std::array<CoulombSlip::Candidate, 4> all;
  const int n = slip.find_all(all);
  for (int k = 0; k < n; ++k) {
    const auto& trial = all[static_cast<std::size_t>(k)];
    if (trial.sigma >= 0) {
      r = trial.r;
      return true;
    }
    candidates.offer(trial.r);
  }
  return false;
}

}  // namespace

CoulombFriction::CoulombFriction(Index n_tangents, ScalarFunction friction, ScalarFunction obstacle,
                                 std::optional<double> restitution)
    : CoulombFriction(std::move(friction), std::move(obstacle), resting_supports(n_tangents), restitution) {}

CoulombFriction::CoulombFriction(ScalarFunction friction, ScalarFunction obstacle,
                                 std::vector<ScalarFunction> tangential_support,
                                 std::optional<double> restitution)
    : n_tangents_(static_cast<Index>(resting_supports(static_cast<Index>(tangential_support.size())).size())),
      friction_(std::move(friction)),
      support_(support_functions(std::move(obstacle), std::move(tangential_support))),
      restitution_(restitution) {
  law_checks::restitution(name(), restitution);
  if (friction_.is_constant()) parameters(0., ContactState::open);
}

double CoulombFriction::one_sided_lipschitz_constant() const {
  return std::numeric_limits<double>::infinity();
}

std::vector<const ScalarFunction*> CoulombFriction::functions_of_time() const {
  std::vector<const ScalarFunction*> all = Law::functions_of_time();
  all.insert(all.end(), {&friction_});
  return all;
}

LawParameters CoulombFriction::parameters(double time, ContactState /*before*/) const {
  return {law_checks::not_negative(name(), "coefficient", friction_, time)};
}

void CoulombFriction::resolvent(const LawParameters& parameters, double /*rho*/, LocalConstView z,
                                LocalView r) const {
  const double r_n = std::max(0., z[0]), radius = parameters[0] * r_n;
  const double pull = z.tail(n_tangents_).norm();
  const double factor = pull > radius ? radius / pull : 1.;
  r.tail(n_tangents_) = factor * z.tail(n_tangents_);
  r[0] = r_n;
}

LocalMatrix CoulombFriction::resolvent_derivative(const LawParameters& parameters, double /*rho*/,
                                                  LocalConstView z) const {
  const Index d = dimension(), n = n_tangents_;
  if (z[0] <= 0) return LocalMatrix::Zero(d, d);
  LocalMatrix derivative = LocalMatrix::Identity(d, d);
  const double radius = parameters[0] * z[0], pull = z.tail(n).norm();
  if (pull <= radius) return derivative;
  const LocalVector e = z.tail(n) / pull;
  derivative.bottomLeftCorner(n, 1) = parameters[0] * e;
  derivative.bottomRightCorner(n, n) -= e * e.transpose();
  derivative.bottomRightCorner(n, n) *= radius / pull;
  return derivative;
}

void CoulombFriction::solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                                  LocalView r) const {
  const double mu = parameters[0];
  if (b[0] >= 0) {
    r.setZero();
    return;
  }
  BestCandidate candidates(*this, parameters, W, b);
  LocalVector stick = n_tangents_ == 1
                          ? LocalVector(-Eigen::Matrix2d(W).partialPivLu().solve(Eigen::Vector2d(b)))
                          : LocalVector(-Eigen::Matrix3d(W).partialPivLu().solve(Eigen::Vector3d(b)));
  if (is_in_friction_cone(stick, mu)) {
    r = stick;
    return;
  }
  if (n_tangents_ == 1 ? slip_in_plane(W, b, mu, r[1], r, candidates)
                       : slip_in_space(W, b, mu, stick, r, candidates))
    return;

  // Near the transition between open, stick and slip, rounding errors may exclude all three cases, in
  // particular for ill-conditioned W. Then the best candidate is returned, and the solver of the step checks
  // its residual.
  candidates.offer(stick);
  if (candidates.residual() < 1e-4) {
    r = candidates.reaction();
    return;
  }
  std::ostringstream message;
  message << "No reaction r of a contact with Coulomb friction, mu = " << mu
          << ", satisfies w = W r + b with the Delassus matrix W =\n"
          << W << "\nand the rates without reaction b = " << b.transpose()
          << ". Such a reaction always exists if the symmetric part of W is positive definite: check W.";
  throw InvalidInput(message.str());
}

// Computes the Euclidean projection onto the friction cone. A point in the cone is kept, a point in the polar
// cone is projected to zero, and any other point is projected onto the surface of the cone.
void CoulombFriction::project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const {
  const double mu = parameters[0], normal = reaction[0], tangential = reaction.tail(n_tangents_).norm();
  if (tangential <= mu * normal) {
    r = reaction;
  } else if (normal <= -mu * tangential) {
    r.setZero();
  } else {
    const double r_n = (normal + mu * tangential) / (1 + mu * mu);
    r.tail(n_tangents_) = mu * r_n / tangential * reaction.tail(n_tangents_);
    r[0] = r_n;
  }
}

ContactState CoulombFriction::state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                                    double tolerance) const {
  if (r[0] <= 0 && w[0] > tolerance) return ContactState::open;
  // A contact slips only if its reaction lies on the surface of the friction cone, up to rounding errors.
  const bool is_on_cone_surface = r.tail(n_tangents_).norm() >= (1 - 1e-9) * parameters[0] * r[0];
  if (!is_on_cone_surface || w.tail(n_tangents_).norm() <= tolerance) return ContactState::stick;
  if (n_tangents_ == 2) return ContactState::slip;
  return w[1] > 0 ? ContactState::slip_forward : ContactState::slip_back;
}

}  // namespace halfdof
