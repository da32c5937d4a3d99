// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/plots/gnuplot.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace halfdof::internal {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error("The picture was not drawn: " + what + ": " + std::generic_category().message(error) + ".");
}

/// An unnamed file in memory. In contrast to a pipe, the writer never waits for the reader, and the reader
/// never waits for the writer.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("gnuplot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("no memory for the script", errno);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  void write_all(const std::string& text) const {
    for (std::size_t begin = 0; begin < text.size();) {
      const ssize_t n = write(descriptor_, text.data() + begin, text.size() - begin);
      if (n < 0 && errno != EINTR) fail("no memory for the script", errno);
      if (n > 0) begin += static_cast<std::size_t>(n);
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  std::string first_bytes(std::size_t n) const {
    std::string text(n, '\0');
    const ssize_t n_read = pread(descriptor_, text.data(), n, 0);
    text.resize(n_read > 0 ? static_cast<std::size_t>(n_read) : 0);
    return text;
  }

  std::string all_bytes() const {
    const off_t size = lseek(descriptor_, 0, SEEK_END);
    return first_bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
  }

 private:
  int descriptor_;
};

/// Starts gnuplot, which reads `script`, and writes the picture to `output` and messages to `messages`.
pid_t start_gnuplot(const MemoryFile& script, const MemoryFile& output, const MemoryFile& messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, script.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDERR_FILENO);
  char program[] = "gnuplot", default_settings[] = "-d";
  char* const arguments[] = {program, default_settings, nullptr};
  pid_t process = 0;
  const int error = posix_spawnp(&process, program, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw NotAvailable(
        "The picture was not drawn: the program gnuplot was not found. Install the Debian package "
        "gnuplot-nox, or run without pictures.");
  if (error != 0) fail("gnuplot cannot be started", error);
  return process;
}

/// Waits for a process and returns its exit status. A process that takes longer than `seconds` is killed.
/// @param in_time Set to whether the process ended in time
int wait_for(pid_t process, double seconds, bool& in_time) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  in_time = true;
  for (;;) {
    const pid_t ended = waitpid(process, &status, in_time ? WNOHANG : 0);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) fail("gnuplot was lost", errno);
    if (in_time && std::chrono::steady_clock::now() > end) {
      in_time = false;
      kill(process, SIGKILL);
    }
    if (in_time) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

std::string run_gnuplot(const std::string& script, double seconds) {
  const MemoryFile input, output, messages;
  input.write_all(script);
  bool in_time;
  const int status = wait_for(start_gnuplot(input, output, messages), seconds, in_time);
  if (!in_time)
    throw Error("The picture was not drawn: gnuplot took longer than " + std::to_string(seconds) +
                " s and was stopped. Plot fewer points, or allow more time.");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("The picture was not drawn, because gnuplot failed: " + messages.first_bytes(1000));
  return output.all_bytes();
}

}  // namespace halfdof::internal
