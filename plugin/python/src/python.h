// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/halfdof.h>

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * The compiled part `halfdof._core` of the Python package. It is private: the package in ../halfdof checks
 * and converts what users give, and documents it. Functions of this part take arrays of the right type and
 * shape.
 *
 * The global interpreter lock (GIL) is released while the library computes, and taken for callbacks.
 */
namespace halfdof::python {

namespace py = pybind11;

using Engine = EigenEngine;
using Assembled = AssembledSystem<Engine>;
/// The entries of a direction: pairs (DoF, weight).
using WeightedDoFs = std::vector<std::pair<GlobalIndex, double>>;

/// Computes without the GIL.
template <class Compute>
auto without_gil(const Compute& compute) {
  const py::gil_scoped_release release;
  return compute();
}

/// The lock of what several systems share, such as factorizations, whose workspaces serve one thread at a
/// time. A thread takes the lock after it has released the GIL, so that a thread that waits for the lock
/// never holds the GIL. The same thread may take the lock again, in a callback.
class SystemLock {
 public:
  /// Computes without the GIL while no other thread uses the system.
  template <class Compute>
  auto compute(const Compute& compute) const {
    const py::gil_scoped_release release;
    const std::lock_guard<std::recursive_mutex> guard(*mutex_);
    return compute();
  }

 private:
  std::shared_ptr<std::recursive_mutex> mutex_ = std::make_shared<std::recursive_mutex>();
};

/// A reduced system with its lock, which systems under other loads and about other states share.
class Reduced : public ReducedSystem<Engine> {
 public:
  explicit Reduced(ReducedSystem<Engine> reduced, SystemLock lock = {})
      : ReducedSystem<Engine>(std::move(reduced)), lock_(std::move(lock)) {}

  const SystemLock& lock() const { return lock_; }
  template <class Compute>
  auto compute(const Compute& compute) const {
    return lock_.compute(compute);
  }

 private:
  SystemLock lock_;
};

/// A Python object that may be copied and destroyed without the GIL.
class HeldObject {
 public:
  explicit HeldObject(py::object object)
      : object_(new py::object(std::move(object)), [](py::object* held) {
          const py::gil_scoped_acquire gil;
          delete held;
        }) {}

  /// The object. Its use needs the GIL.
  const py::object& get() const { return *object_; }

 private:
  std::shared_ptr<py::object> object_;
};

/// Returns an array that owns the entries of a matrix or vector, without copying them.
template <class Matrix>
py::array owned_array(Matrix matrix) {
  using Scalar = typename Matrix::Scalar;
  auto* const own = new Matrix(std::move(matrix));
  const py::capsule owner(own, [](void* pointer) { delete static_cast<Matrix*>(pointer); });
  if constexpr (Matrix::ColsAtCompileTime == 1) {
    return py::array_t<Scalar>({own->size()}, {sizeof(Scalar)}, own->data(), owner);
  } else {
    const auto stride = static_cast<py::ssize_t>(sizeof(Scalar));
    return py::array_t<Scalar>({own->rows(), own->cols()}, {stride, stride * own->rows()}, own->data(),
                               owner);
  }
}

/// Returns what an object writes to a stream.
template <class Write>
std::string text_of(const Write& write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

/// Returns the function of time that a number, a formula, a table (times, values, beyond) or a Python
/// function describes. Needs the GIL.
ScalarFunction scalar_function(const py::object& given);

/// Returns the function that calls a Python function of time and returns the array that it returns.
TimeFunction time_function(py::object function);

/// Returns a column of H from a list of pairs (DoF, weight).
Direction direction(const WeightedDoFs& entries);

/// Returns the matrix with the arrays (indptr, indices, data, shape) of columns, which it shares with Python.
EigenMatrix matrix_from(const py::tuple& csc);
/// Returns (indptr, indices, data, shape) of a matrix by columns.
py::tuple matrix_to(const EigenMatrix::Entries& matrix);
py::object matrix_to(const std::optional<Eigen::SparseMatrix<double>>& matrix);

/// Returns labels from a tuple (names of components, component, node, points, dimension), or none from None.
DoFLabels labels_from(const py::object& given);

void bind_errors(py::module_& core);
void bind_systems(py::module_& core);
void bind_builders(py::module_& core);
void bind_files(py::module_& core);
void bind_spectra(py::module_& core);
void bind_responses(py::module_& core);
void bind_laws(py::module_& core);
void bind_motion(py::module_& core);
void bind_cases(py::module_& core);
void bind_structural(py::module_& core);
void bind_memory(py::module_& core);

}  // namespace halfdof::python
