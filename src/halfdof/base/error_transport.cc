// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/error_transport.h>
#include <halfdof/base/errors.h>

#include <cstring>
#include <new>
#include <vector>

namespace halfdof::internal {

namespace {

enum class ExceptionType : char {
  error,
  invalid_input,
  not_finite,
  undefined_function,
  not_available,
  singular_matrix,
  no_convergence,
  blow_up,
  kind_change,
  singular_elimination,
  out_of_memory
};

class Writer {
 public:
  Writer(ExceptionType kind, const std::string& message) : bytes_(1, static_cast<char>(kind)) {
    add(message);
  }

  template <class Number>
  Writer& add_number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(Number));
    return *this;
  }
  Writer& add(const std::string& text) {
    add_number(text.size());
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, bytes_.data() + next_, sizeof(Number));
    next_ += sizeof(Number);
    return value;
  }
  std::string text() {
    const auto size = number<std::size_t>();
    next_ += size;
    return bytes_.substr(next_ - size, size);
  }

 private:
  const std::string& bytes_;
  std::size_t next_ = 0;
};

void add(Writer& writer, const std::vector<SingularPart>& parts) {
  writer.add_number(parts.size());
  for (const SingularPart& part : parts) {
    writer.add(part.block).add(part.cause).add(part.remedy);
    writer.add_number(part.dofs.size());
    for (const GlobalIndex dof : part.dofs)
      writer.add_number(dof);
    writer.add_number(part.names.size());
    for (const std::string& name : part.names)
      writer.add(name);
  }
}

std::vector<SingularPart> read_parts(Reader& reader) {
  std::vector<SingularPart> parts(reader.number<std::size_t>());
  for (SingularPart& part : parts) {
    part.block = reader.text();
    part.cause = reader.text();
    part.remedy = reader.text();
    part.dofs.resize(reader.number<std::size_t>());
    for (GlobalIndex& dof : part.dofs)
      dof = reader.number<GlobalIndex>();
    part.names.resize(reader.number<std::size_t>());
    for (std::string& name : part.names)
      name = reader.text();
  }
  return parts;
}

}  // namespace

std::string packed_error(const std::exception_ptr& error, int process) {
  const std::string place = "Process " + std::to_string(process) + " stopped";
  try {
    std::rethrow_exception(error);
  } catch (const NotFinite& found) {
    return Writer(ExceptionType::not_finite, found.what()).bytes();
  } catch (const UndefinedFunction& found) {
    return Writer(ExceptionType::undefined_function, found.place()).add(found.reason()).bytes();
  } catch (const InvalidInput& found) {
    return Writer(ExceptionType::invalid_input, found.what()).bytes();
  } catch (const NotAvailable& found) {
    return Writer(ExceptionType::not_available, found.what()).bytes();
  } catch (const SingularMatrix& found) {
    return Writer(ExceptionType::singular_matrix, found.what()).bytes();
  } catch (const NoConvergence& found) {
    return Writer(ExceptionType::no_convergence, found.what()).add_number(found.residual()).bytes();
  } catch (const BlowUp& found) {
    return Writer(ExceptionType::blow_up, found.what())
        .add_number(found.time())
        .add_number(found.dof())
        .bytes();
  } catch (const KindChange& found) {
    return Writer(ExceptionType::kind_change, found.what())
        .add_number(found.time())
        .add_number(found.dof())
        .bytes();
  } catch (const SingularElimination& found) {
    Writer writer(ExceptionType::singular_elimination, found.what());
    add(writer, found.parts());
    return writer.bytes();
  } catch (const Error& found) {
    return Writer(ExceptionType::error, found.what()).bytes();
  } catch (const std::bad_alloc&) {
    return Writer(ExceptionType::out_of_memory, "").bytes();
  } catch (const std::exception& found) {
    return Writer(ExceptionType::error, place + ": " + found.what()).bytes();
  } catch (...) {
    return Writer(ExceptionType::error, place + " by an exception that has no message.").bytes();
  }
}

void throw_packed_error(const std::string& bytes) {
  Reader reader(bytes);
  const auto kind = static_cast<ExceptionType>(reader.number<char>());
  const std::string message = reader.text();
  switch (kind) {
    case ExceptionType::invalid_input:
      throw InvalidInput(message);
    case ExceptionType::not_finite:
      throw NotFinite(message);
    case ExceptionType::undefined_function:
      throw UndefinedFunction(message, reader.text());
    case ExceptionType::not_available:
      throw NotAvailable(message);
    case ExceptionType::singular_matrix:
      throw SingularMatrix(message);
    case ExceptionType::no_convergence:
      throw NoConvergence(message, reader.number<double>());
    case ExceptionType::blow_up: {
      const auto time = reader.number<double>();
      throw BlowUp(message, time, reader.number<GlobalIndex>());
    }
    case ExceptionType::kind_change: {
      const auto time = reader.number<double>();
      throw KindChange(message, time, reader.number<GlobalIndex>());
    }
    case ExceptionType::singular_elimination:
      throw SingularElimination(message, read_parts(reader));
    case ExceptionType::out_of_memory:
      throw std::bad_alloc();
    case ExceptionType::error:
      break;
  }
  throw Error(message);
}

}  // namespace halfdof::internal
