// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <sstream>

namespace halfdof {

using namespace internal;
namespace {

void check_rows(const WeierstrassForm& form, ConstView<double> directions, const std::string& name) {
  if (directions.rows() == form.order()) return;
  std::ostringstream message;
  message << "The " << name << " have " << directions.rows() << " rows, and the pencil is of order "
          << form.order() << ". Give one row for each unknown.";
  throw InvalidInput(message.str());
}

void check_directions(const WeierstrassForm& form, const ReactionDirections& directions) {
  check_rows(form, directions.reactions, "reaction directions");
  check_rows(form, directions.outputs, "output directions");
  const auto m = directions.reactions.cols();
  if (directions.outputs.cols() == m &&
      (directions.names.empty() || static_cast<Eigen::Index>(directions.names.size()) == m))
    return;
  std::ostringstream message;
  message << "There are " << m << " reaction directions, " << directions.outputs.cols()
          << " output directions and " << directions.names.size()
          << " names. Give one reaction direction, one output direction and one name for each inclusion.";
  throw InvalidInput(message.str());
}

std::string name_of_reaction(const ReactionDirections& directions, Index j) {
  return directions.names.empty() ? "reaction " + std::to_string(j)
                                  : directions.names[static_cast<std::size_t>(j)];
}

[[noreturn]] void refuse_differentiated(const ReactionDirections& directions,
                                        const std::vector<Index>& differentiated) {
  std::ostringstream message;
  for (std::size_t i = 0; i < differentiated.size(); ++i)
    message << (i == 0                           ? ""
                : i + 1 == differentiated.size() ? " and "
                                                 : ", ")
            << name_of_reaction(directions, differentiated[i]);
  message
      << (differentiated.size() == 1 ? " acts" : " act")
      << " on the nilpotent part of the pencil, with N Z_2 g != 0 for the direction g of the reaction. The "
         "motion would depend on the time derivative of the reaction, which does not exist for a set-valued "
         "law. Let the inclusion act on a node with mass, or give that node a mass, a damper or a spring of "
         "its own.";
  throw NotAvailable(message.str());
}

}  // namespace

std::vector<MultiVector> nilpotent_images(const WeierstrassForm& form, ConstView<double> directions) {
  check_rows(form, directions, "directions");
  const MultiVector Z_2 = form.Z_2();
  const Vector rows = form.balance().rows;
  // The norms of the rows of Z_2 and of the columns of L are computed in balanced coordinates.
  Vector row_sizes = (Z_2 * rows.cwiseInverse().asDiagonal()).rowwise().norm();
  const Eigen::RowVectorXd sizes = (rows.asDiagonal() * directions).colwise().norm();
  std::vector<MultiVector> images;
  MultiVector image = Z_2 * directions;
  for (Index i = 0; i < form.nilpotency_index(); ++i) {
    const MultiVector zero = form.rounding() * row_sizes * sizes;
    image = (image.array().abs() > zero.array()).select(image, 0.);
    if (image.isZero(0.)) break;
    images.push_back(image);
    image = form.N() * image;
    row_sizes = form.N().rowwise().norm() * row_sizes.norm();
  }
  return images;
}

const char* name_of(ReactionPart part) {
  return part == ReactionPart::finite ? "finite" : "algebraic";
}

WeierstrassInclusion inclusion_in(const WeierstrassForm& form, const ReactionDirections& directions) {
  check_directions(form, directions);
  const Index m = static_cast<Index>(directions.reactions.cols());
  WeierstrassInclusion inclusion{
      form.Z_1() * directions.reactions, directions.outputs.transpose() * form.T_1(), MultiVector::Zero(m, m),
      MultiVector::Zero(form.n_infinite(), m),
      std::vector<ReactionPart>(static_cast<std::size_t>(m), ReactionPart::finite)};
  const std::vector<MultiVector> images = nilpotent_images(form, directions.reactions);
  if (images.empty()) return inclusion;
  std::vector<Index> differentiated;
  for (Index j = 0; j < m; ++j) {
    if (!images[0].col(j).isZero(0.)) inclusion.parts[static_cast<std::size_t>(j)] = ReactionPart::algebraic;
    if (images.size() > 1 && !images[1].col(j).isZero(0.)) differentiated.push_back(j);
  }
  if (!differentiated.empty()) refuse_differentiated(directions, differentiated);
  inclusion.v_2 = -images[0];
  inclusion.W_alg = directions.outputs.transpose() * (form.T_2() * inclusion.v_2);
  return inclusion;
}

}  // namespace halfdof
