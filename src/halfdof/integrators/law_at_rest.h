// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include <memory>
#include <utility>

namespace halfdof::internal {

/**
 * The law of an inclusion at rest: r is any reaction that the original law admits at w = 0, and -w lies in
 * the normal cone at r of the set of these reactions, so that w gives only the direction in which the motion
 * begins. The law at rest is positively homogeneous even if the reaction of the original law depends on the
 * speed.
 */
class LawAtRest final : public Law {
 public:
  explicit LawAtRest(std::shared_ptr<const Law> law) : law_(std::move(law)) {}

  std::string name() const override { return law_->name(); }
  Index dimension() const override { return law_->dimension(); }
  LawLevel level(Index column) const override { return law_->level(column); }
  ContactState initial_state() const override { return law_->initial_state(); }
  LawParameters parameters(double time, ContactState before) const override {
    return law_->parameters(time, before);
  }
  void resolvent(const LawParameters& parameters, double /*rho*/, LocalConstView z,
                 LocalView r) const override {
    law_->project(parameters, z, r);
  }
  void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const override {
    law_->project(parameters, reaction, r);
  }
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override {
    return law_->state(parameters, w, r, tolerance);
  }

 private:
  std::shared_ptr<const Law> law_;
};

}  // namespace halfdof::internal
