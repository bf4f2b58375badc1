// A kubeconfig → how a cluster is reached.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "client/access/exec_credentials.h"
#include "client/access/kubeconfig.h"
#include "test/fuzz/fuzz.h"

namespace {

// A file that is nowhere but in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : fd_(memfd_create("kubeconfig", MFD_CLOEXEC)) {
    CHECK(fd_ >= 0);
    CHECK(std::cmp_equal(write(fd_, content.data(), content.size()), content.size()));
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  const MemoryFile file(fuzz::TextOf(data, size));
  for (const char* context : {"", "prod"}) {
    auto access = LoadKubeconfig({file.path()}, context);
    if (!access) {
      CHECK(!access.error().message.empty());
      continue;
    }
    CHECK(!access->namespace_.empty());
    if (!access->exec) continue;
    access->ca_file.clear();  // no other file is an input of ours
    CHECK(ExecInfo(*access));
  }
  return fuzz::kKeep;
}
