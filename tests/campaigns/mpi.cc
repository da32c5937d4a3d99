// SPDX-License-Identifier: LGPL-2.1-or-later
// Random models on several processes, in odd and empty partitions, beside the same model on one process:
//   mpirun -n RANKS campaign_mpi [n] [seed] [--seconds S] [--case NUMBER]
// Every process makes all models alike, takes its share of each for the engine of MPI, and the whole for the
// other one.
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/trilinos/engine.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/spectrum/frequency_response.h>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

/// Differences relative to the largest entry, per unit of the condition number of D. Both engines round in
/// an order of their own: 1e4 roundings are more than sums over some thirty DoFs and a hundred steps add up
/// to.
constexpr double tolerance = 1e4 * 2.2e-16;

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  double operator()() { return 2 * (static_cast<double>(generator_() >> 11) / 9007199254740992.) - 1; }
  Index below(Index n) { return static_cast<Index>(generator_() % static_cast<std::uint64_t>(n)); }
  bool chance(double share) { return std::abs((*this)()) < share; }

 private:
  std::mt19937_64 generator_;
};

/// A model that is regular: diagonals outweigh what couples.
struct Model {
  Index n;
  MultiVector M, C, K;
  std::vector<Index> constrained;
  bool moves, has_load, has_labels, is_symmetric;
  double load_frequency;
  LumpedElements elements;
  std::vector<Inclusion> inclusions;

  explicit Model(Random& random) : n(1 + random.below(24)) {
    is_symmetric = random.chance(0.5);
    const auto matrix = [&](double share) {
      MultiVector A = MultiVector::Zero(n, n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          if (random.chance(share)) A(i, j) = random();
      return is_symmetric ? MultiVector((A + A.transpose()) / 2) : A;
    };
    M = matrix(0.2), C = matrix(0.2), K = matrix(0.3);
    for (MultiVector* A : {&M, &C, &K})
      for (Index i = 0; i < n; ++i)
        (*A)(i, i) = 1 + A->row(i).cwiseAbs().sum();
    for (Index i = 0; i < n; ++i) {  // kinds: null columns, and null rows beside them
      const Index kind = random.below(3);
      if (kind >= 1) M.col(i).setZero(), M.row(i).setZero();
      if (kind == 2) C.col(i).setZero(), C.row(i).setZero();
    }
    for (Index i = 0; i + 1 < n; ++i)
      if (random.chance(0.15)) constrained.push_back(i);
    moves = random.chance(0.5);
    has_load = random.chance(0.7);
    has_labels = random.chance(0.5);
    load_frequency = 1 + std::abs(random());
    add_elements(random);
    add_inclusions(random);
  }

  Index n_all() const { return n + static_cast<Index>(elements.new_dofs.size()); }

 private:
  void add_elements(Random& random) {
    const Index n_new = random.chance(0.5) ? 1 + random.below(3) : 0;
    for (Index k = 0; k < n_new; ++k)
      elements.new_dofs.emplace_back(random.chance(0.5) ? "joint" : "charge");
    for (Index k = 0; k < n_new; ++k) {
      add_between(elements.stiffness, n + k, ground, 2. + random());
      add_between(elements.stiffness, n + k, random.below(n), 1.);
      if (random.chance(0.5)) add_between(elements.damping, n + k, ground, 1.);
    }
  }
  void add_inclusions(Random& random) {
    const Index m = random.chance(0.5) ? 1 + random.below(3) : 0;
    for (Index j = 0; j < m; ++j) {
      std::vector<WeightedDoF> entries;
      for (int k = 0; k < 2; ++k)
        entries.push_back({random.below(n_all()), 1 + std::abs(random())});
      inclusions.push_back(inclusion("friction " + std::to_string(j),
                                     std::make_shared<const DryFriction>(-0.3, 0.2), Direction(entries)));
    }
  }
};

/// Whom each DoF belongs to, and in which order a process stores its own.
Partition random_partition(Index n, Random& random, const std::shared_ptr<const Communicator>& world) {
  const int size = world->size();
  const Index way = random.below(4), one = random.below(size);
  std::vector<std::vector<GlobalIndex>> owned(static_cast<std::size_t>(size));
  for (Index i = 0; i < n; ++i) {
    const Index owner = way == 0   ? i * size / n                   // in order
                        : way == 1 ? random.below(size)             // anyhow
                        : way == 2 ? one                            // all others are empty
                                   : (i * 7 / n % 2) * (size - 1);  // the ends in turn
    owned[static_cast<std::size_t>(owner)].push_back(i);
  }
  for (auto& list : owned)
    for (std::size_t k = list.size(); k > 1; --k)
      if (const auto other = static_cast<std::size_t>(random.below(static_cast<Index>(k))); way != 0)
        std::swap(list[k - 1], list[other]);
  return Partition(owned[static_cast<std::size_t>(world->rank())], world);
}

EigenMatrix matrix_of(const MultiVector& A, const Partition&, EigenEngine) {
  return EigenMatrix(EigenMatrix::Storage(A.sparseView(0., 0.)));
}
TrilinosMatrix matrix_of(const MultiVector& A, const Partition& dofs, TrilinosEngine) {
  return TrilinosMatrix::distribute(Eigen::SparseMatrix<double>(A.sparseView(0., 0.)), dofs, dofs);
}

Vector load_of(const Model& model, const Partition& dofs, double time, int derivative) {
  Vector f(dofs.n_local());
  const double w = model.load_frequency;
  for (Index i = 0; i < f.size(); ++i) {
    const double phase = 0.3 * static_cast<double>(dofs.global_index(i));
    f[i] = derivative == 0 ? std::sin(w * time + phase) : w * std::cos(w * time + phase);
  }
  return f;
}

template <class Engine>
AssembledSystem<Engine> assembled(const Model& model, const Partition& dofs) {
  SystemDescription<Engine> description;
  description.mass = matrix_of(model.M, dofs, Engine());
  description.damping = matrix_of(model.C, dofs, Engine());
  description.stiffness = matrix_of(model.K, dofs, Engine());
  std::vector<double> places;
  for (const Index i : model.constrained)
    if (const Index local = dofs.local_index(i); local >= 0) {
      description.constrained.push_back(local);
      places.push_back(static_cast<double>(i));
    }
  if (model.moves && !places.empty()) {  // on those processes alone that own some
    const auto motion = [places](double factor, double shift) {
      return [=](double time) -> Vector {
        Vector q(static_cast<Eigen::Index>(places.size()));
        for (std::size_t k = 0; k < places.size(); ++k)
          q[static_cast<Eigen::Index>(k)] = factor * std::sin(2 * time + 0.1 * places[k] + shift);
        return q;
      };
    };
    constexpr double quarter = 1.5707963267948966;
    description.prescribed = {motion(1, 0), motion(2, quarter), motion(4, 2 * quarter),
                              motion(8, 3 * quarter)};
  }
  if (model.has_load && dofs.n_local() > 0) {
    description.load = [model, dofs](double time) { return load_of(model, dofs, time, 0); };
    description.load_rate = [model, dofs](double time) { return load_of(model, dofs, time, 1); };
  }
  if (model.has_labels) {
    description.labels.component_names = {"x", "y"};
    for (Index i = 0; i < dofs.n_local(); ++i)
      description.labels.component.push_back(static_cast<Index>(dofs.global_index(i) % 2));
  }
  return AssembledSystem<Engine>(with_lumped_elements(description, model.elements));
}

/// What is asked of a model: numbers by assembled DoF, or whole on every process.
struct Answers {
  std::vector<std::string> names;
  std::vector<MultiVector> values;
  double condition = 1;
  std::string refusal;  ///< kind of error

  void add(const std::string& name, const MultiVector& value) {
    names.push_back(name);
    values.push_back(value);
  }
};

/// Entries of all processes by global number.
MultiVector whole(const MultiVector& here, const Partition& rows) {
  MultiVector all = MultiVector::Zero(rows.n_global(), here.cols());
  for (Index i = 0; i < rows.n_local(); ++i)
    all.row(rows.global_index(i)) = here.row(i);
  rows.communicator().sum(all.data(), static_cast<int>(all.size()));
  return all;
}

/// Displacements or rates of all DoFs, alike on one process and on several.
Vector given_values(const Partition& dofs, double phase) {
  Vector q(dofs.n_local());
  for (Index i = 0; i < q.size(); ++i)
    q[i] = 0.1 * std::cos(1.7 * static_cast<double>(dofs.global_index(i)) + phase);
  return q;
}

MultiVector parts(const ComplexMultiVector& H) {
  MultiVector both(2 * H.rows(), H.cols());
  both << H.real(), H.imag();
  return both;
}

template <class Engine>
void add_motion(Answers& answers, const std::string& name, const AssembledMotion& lifted,
                const Partition& dofs) {
  answers.add(name + ": displacement", whole(lifted.displacement, dofs));
  answers.add(name + ": rate", whole(lifted.rate, dofs));
}

template <class Engine>
void answer(Answers& answers, const Model& model, const Partition& partition) {
  const AssembledSystem<Engine> system = assembled<Engine>(model, partition);
  const auto reduced = reduce(system);
  const Partition& dofs = system.dofs();
  answers.condition = reduced.elimination().condition();
  answers.add("kinds", (MultiVector(3, 1) << static_cast<double>(reduced.classification().n_inertial()),
                        static_cast<double>(reduced.classification().n_viscous()),
                        static_cast<double>(reduced.classification().n_algebraic()))
                           .finished());
  MultiVector components(static_cast<Index>(dofs.n_local()), 1);
  for (Index i = 0; i < dofs.n_local(); ++i) {
    const std::string name = system.labels().component_name(i);
    components(i, 0) = name.empty() ? 0. : name == "x" ? 1. : name == "y" ? 2. : name == "joint" ? 3. : 4.;
  }
  answers.add("components", whole(components, dofs));

  const ConsistentState start =
      consistent_state(reduced, given_values(dofs, 0.), given_values(dofs, 1.), 0.25);
  answers.add("changes", MultiVector::Constant(1, 1, static_cast<double>(start.report.n_changed)));
  add_motion<Engine>(answers, "start", reduced.lift(start), dofs);
  answers.add("acceleration", whole(reduced.lift(start).acceleration, dofs));

  State state = start;
  GeneralizedAlpha(reduced, 0.05).run(state, 1.25);
  add_motion<Engine>(answers, "generalized-alpha", reduced.lift(state), dofs);

  std::vector<GlobalIndex> free;
  for (GlobalIndex i = 0; i < system.n_dofs(); ++i)
    if (std::find(model.constrained.begin(), model.constrained.end(), i) == model.constrained.end())
      free.push_back(i);
  if (!free.empty()) {
    const std::vector<GlobalIndex> some = {free.front(), free.back()};
    answers.add("response", parts(frequency_response(reduced, {0.2}, some, displacements(some)).after[0]));
  }
  if (model.inclusions.empty()) return;
  const Inclusions<Engine> inclusions(reduced, model.inclusions);
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  NonsmoothStartOptions options;
  options.inadmissible = InadmissibleReactions::project;
  NonsmoothState moving =
      nonsmooth_start(inclusions, outcome, given_values(dofs, 0.), given_values(dofs, 1.), 0.25, options);
  NonsmoothEuler(inclusions, outcome, 0.05).run(moving, 0.75);
  add_motion<Engine>(answers, "friction", inclusions.lift(moving, moving.r), dofs);
  // Reactions along directions that depend on each other share what they do; their forces are determined.
  Vector forces = Vector::Zero(dofs.n_local());
  system.free().add_to(Vector(inclusions.H().on_dofs() * moving.r), forces);
  answers.add("forces of friction", whole(forces, dofs));
}

template <class Engine>
Answers answers_of(const Model& model, const Partition& partition) {
  Answers answers;
  try {
    answer<Engine>(answers, model, partition);
  } catch (const InvalidInput& error) {
    answers.refusal = std::string("InvalidInput: ") + error.what();
  } catch (const NotAvailable& error) {
    answers.refusal = std::string("NotAvailable: ") + error.what();
  } catch (const SingularElimination& error) {
    answers.refusal = std::string("SingularElimination: ") + error.what();
  } catch (const Error& error) {
    answers.refusal = std::string("Error: ") + error.what();
  }
  return answers;
}

std::string kind_of(const std::string& refusal) {
  return refusal.substr(0, refusal.find(':'));
}

/// What differs, in a line; "" if nothing does.
std::string difference(const Answers& several, const Answers& one) {
  if (kind_of(several.refusal) != kind_of(one.refusal))
    return "several processes: " + (several.refusal.empty() ? "an answer" : several.refusal) +
           "; one: " + (one.refusal.empty() ? "an answer" : one.refusal);
  if (several.names != one.names) return "other answers";
  // What is nearly zero is compared with the motion that the run begins with.
  double scale = 0;
  for (std::size_t k = 0; k < one.names.size(); ++k)
    if (one.names[k].rfind("start", 0) == 0 && one.values[k].size() > 0)
      scale = std::max(scale, one.values[k].cwiseAbs().maxCoeff());
  for (std::size_t k = 0; k < one.names.size(); ++k) {
    const MultiVector &a = several.values[k], &b = one.values[k];
    if (a.rows() != b.rows() || a.cols() != b.cols()) return one.names[k] + ": other shapes";
    if (a.size() == 0) continue;
    const double error = (a - b).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
                 limit = tolerance * one.condition * std::max(b.cwiseAbs().maxCoeff(), scale);
    if (!(error <= limit))
      return one.names[k] + ": differs by " + std::to_string(error / limit) + " times the tolerance";
  }
  return "";
}

/// @return of what one function throws on one process: whether all processes throw it
bool is_heard_by_all(const Model& model, const Partition& dofs, int thrower) {
  const Communicator& world = dofs.communicator();
  SystemDescription<TrilinosEngine> description;
  description.stiffness = matrix_of(model.K, dofs, TrilinosEngine());
  description.load = [&](double) -> Vector {
    if (world.rank() == thrower) throw NotAvailable("no load here");
    return Vector::Zero(dofs.n_local());
  };
  const AssembledSystem<TrilinosEngine> system(description);
  bool heard = false;
  try {
    system.load(0.);
  } catch (const NotAvailable&) {
    heard = true;
  }
  return !world.any(!heard);
}

struct Options {
  std::uint64_t n = 300, seed = 1;
  double seconds = 1e9;
  long only = -1;
};

Options options_of(int argc, char** argv) {
  Options options;
  int place = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seconds" && i + 1 < argc)
      options.seconds = std::atof(argv[++i]);
    else if (argument == "--case" && i + 1 < argc)
      options.only = std::atol(argv[++i]);
    else
      (place++ == 0 ? options.n : options.seed) = std::strtoull(argv[i], nullptr, 10);
  }
  return options;
}

int run(const Options& options) {
  const std::shared_ptr<const Communicator> world = std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD);
  const auto begin = std::chrono::steady_clock::now();
  std::map<std::string, long> counts;
  std::uint64_t number = options.only >= 0 ? static_cast<std::uint64_t>(options.only) : 0;
  const std::uint64_t end = options.only >= 0 ? number + 1 : options.n;
  for (; number < end; ++number) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (world->any(spent.count() > options.seconds)) break;
    Random random(options.seed * 1000003 + number);
    const Model model(random);
    const Partition dofs = random_partition(model.n, random, world);
    const Answers several = answers_of<TrilinosEngine>(model, dofs),
                  one = answers_of<EigenEngine>(model, Partition(model.n));
    std::string wrong = difference(several, one);
    const bool is_heard = is_heard_by_all(model, dofs, static_cast<int>(random.below(world->size())));
    if (wrong.empty() && !is_heard) wrong = "an error on one process is not heard on all";
    const bool is_wrong = world->any(!wrong.empty());
    ++counts[is_wrong ? "wrong" : one.refusal.empty() ? "agree" : "refused by both"];
    if (is_wrong || options.only >= 0)
      for (const std::string& line : world->gather(wrong))
        if (world->rank() == 0 && (!line.empty() || options.only >= 0))
          std::cout << "case " << number << ": " << (line.empty() ? "agrees " + one.refusal : line) << '\n';
  }
  if (world->rank() == 0) {
    std::cout << number << " models of seed " << options.seed << " on " << world->size() << " processes";
    for (const auto& [name, n] : counts)
      std::cout << ", " << n << ' ' << name;
    std::cout << '\n';
  }
  // Where most models are refused, nothing is compared.
  const bool compares =
      2 * counts["agree"] >= static_cast<long>(number) - counts["wrong"] || options.only >= 0;
  if (!compares && world->rank() == 0) std::cout << "FAILED: most models were refused by both\n";
  return counts["wrong"] > 0 || !compares ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int result = run(options_of(argc, argv));
  MPI_Finalize();
  return result;
}
