// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"

namespace halfdof::python {

namespace {

using Attribute = std::pair<const char*, py::object>;

template <class T>
Attribute with(const char* name, const T& value) {
  return {name, py::cast(value)};
}

Attribute with_dofs(const std::vector<GlobalIndex>& dofs) {
  return {"dofs", py::tuple(py::cast(dofs))};
}

/// Raises the exception of halfdof.errors that has the name of the C++ class, with numbers as attributes.
void raise(const char* name, const std::exception& error, const std::vector<Attribute>& attributes = {}) {
  const py::object type = py::module_::import("halfdof.errors").attr(name);
  const py::object exception = type(error.what());
  for (const auto& [attribute, value] : attributes)
    py::setattr(exception, attribute, value);
  PyErr_SetObject(type.ptr(), exception.ptr());
}

py::tuple parts_of(const SingularElimination& error) {
  const py::object part = py::module_::import("halfdof.errors").attr("SingularPart");
  py::list all;
  for (const SingularPart& found : error.parts())
    all.append(part(found.block, py::tuple(py::cast(found.dofs)), py::tuple(py::cast(found.names)),
                    found.cause, found.remedy));
  return py::tuple(all);
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const SingularElimination& error) {
    std::string causes;
    for (const SingularPart& part : error.parts())
      causes += (causes.empty() ? "" : " ") + part.cause;
    raise("SingularElimination", error,
          {with_dofs(error.dofs()), with("cause", causes), with("block", error.block()),
           Attribute("parts", parts_of(error))});
  } catch (const AmbiguousRank& error) {
    const RankDecision& decision = error.decision();
    raise("AmbiguousRank", error,
          {with("matrix", decision.matrix), with("rank", decision.rank), with("gap", decision.gap())});
  } catch (const SingularPencil& error) {
    raise("SingularPencil", error,
          {with_dofs({error.unknowns().begin(), error.unknowns().end()}),
           Attribute("equations", py::tuple(py::cast(error.equations()))),
           with("null_vector", error.null_vector())});
  } catch (const BlowUp& error) {
    raise("BlowUp", error, {with_dofs({error.dof()}), with("time", error.time())});
  } catch (const KindChange& error) {
    raise("KindChange", error, {with_dofs({error.dof()}), with("time", error.time())});
  } catch (const NoReactions& error) {
    raise("NoReactions", error, {with("residual", error.residual()), with("inclusion", error.inclusion())});
  } catch (const NoConvergence& error) {
    raise("NoConvergence", error, {with("residual", error.residual())});
  } catch (const SingularMatrix& error) {
    raise("SingularMatrix", error);
  } catch (const BeyondLimit& error) {
    raise("BeyondLimit", error);
  } catch (const NotAvailable& error) {
    raise("NotAvailable", error);
  } catch (const NotFinite& error) {
    raise("NotFinite", error);
  } catch (const FileError& error) {
    raise("FileError", error, {with("file", error.file().string()), with("line", error.line())});
  } catch (const UndefinedFunction& error) {
    raise("UndefinedFunction", error, {with("place", error.place())});
  } catch (const InvalidInput& error) {
    raise("InvalidInput", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

void bind_errors(py::module_& /*core*/) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    if (thrown) translate(std::move(thrown));
  });
}

}  // namespace halfdof::python
