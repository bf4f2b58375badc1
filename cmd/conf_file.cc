#include "cmd/conf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "conf/read_document.h"

namespace batholith {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Result<std::string> ReadConfFile(const std::string& path) {
  const auto cannot = [&path](int error) {
    return Invalid(path + ": cannot be read: " + std::strerror(error));
  };
  // Opening a pipe waits for its other end otherwise.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) return cannot(errno);
  struct stat s{};
  if (fstat(file.get(), &s) != 0) return cannot(errno);
  if (S_ISDIR(s.st_mode)) return Invalid(path + ": is a folder");
  if (!S_ISREG(s.st_mode)) return Invalid(path + ": must be a regular file, and is none");
  std::string text(kMaxConfBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t n = read(file.get(), text.data() + size, text.size() - size);
    if (n == 0) break;
    if (n < 0 && errno != EINTR) return cannot(errno);
    if (n > 0) size += static_cast<std::size_t>(n);
  }
  if (size > kMaxConfBytes) return Invalid(path + ": is too large for a conf, more than 1 MB");
  text.resize(size);
  return text;
}

}  // namespace batholith
