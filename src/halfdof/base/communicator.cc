// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/error_transport.h>
#include <halfdof/base/partition.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>

namespace halfdof {

using namespace internal;

void Communicator::sum(double*, int) const {}

void Communicator::max(double*, int) const {}

GlobalIndex Communicator::sum_before(GlobalIndex) const {
  return 0;
}

std::vector<std::string> Communicator::gather(const std::string& bytes) const {
  return {bytes};
}

std::shared_ptr<const Communicator> Communicator::self() {
  static const std::shared_ptr<const Communicator> self = std::make_shared<Communicator>();
  return self;
}

void call_on_several(const Communicator& communicator, const std::function<void()>& action) {
  std::exception_ptr failure;
  try {
    action();
  } catch (...) {
    failure = std::current_exception();
  }
  if (!communicator.any(failure != nullptr)) return;
  const std::vector<std::string> all =
      communicator.gather(failure ? packed_error(failure, communicator.rank()) : std::string());
  for (std::size_t process = 0; process < all.size(); ++process) {
    if (all[process].empty()) continue;
    if (static_cast<int>(process) == communicator.rank()) std::rethrow_exception(failure);
    throw_packed_error(all[process]);
  }
}

bool is_same_everywhere(const Communicator& communicator, const std::string& bytes) {
  const auto hash = static_cast<GlobalIndex>(std::hash<std::string>()(bytes));
  const std::vector<GlobalIndex> all = gather(communicator, std::vector<GlobalIndex>{hash});
  return std::all_of(all.begin(), all.end(), [&](GlobalIndex other) { return other == all.front(); });
}

namespace {

template <class Number>
std::vector<Number> gather_numbers(const Communicator& communicator, const std::vector<Number>& local) {
  std::string bytes(local.size() * sizeof(Number), '\0');
  if (!local.empty()) std::memcpy(bytes.data(), local.data(), bytes.size());
  std::vector<Number> all;
  for (const std::string& part : communicator.gather(bytes)) {
    const std::size_t n_before = all.size();
    all.resize(n_before + part.size() / sizeof(Number));
    if (!part.empty()) std::memcpy(all.data() + n_before, part.data(), part.size());
  }
  return all;
}

}  // namespace

std::vector<double> gather(const Communicator& communicator, const std::vector<double>& local) {
  return gather_numbers(communicator, local);
}

std::vector<GlobalIndex> gather(const Communicator& communicator, const std::vector<GlobalIndex>& local) {
  return gather_numbers(communicator, local);
}

MultiVector inner_products(const Communicator& communicator, ConstView<double> x, ConstView<double> y) {
  MultiVector products = x.transpose() * y;
  communicator.sum(products.data(), static_cast<int>(products.size()));
  return products;
}

double norm(const Communicator& communicator, ConstView<double> x) {
  return std::sqrt(communicator.sum(x.squaredNorm()));
}

double norm(const Communicator& communicator, ConstView<Complex> x) {
  return std::sqrt(communicator.sum(x.squaredNorm()));
}

}  // namespace halfdof
