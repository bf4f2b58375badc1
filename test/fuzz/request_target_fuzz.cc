// Targets and headers of requests to the status server, and addresses to listen on.
#include "cmd/listen_address.h"
#include "cmd/status_request.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  const std::string_view text = fuzz::TextOf(data, size);
  if (const auto request = ParseTarget(text)) {
    CHECK(request->path.starts_with('/') && !request->path.contains('?'));
    std::size_t bytes = request->path.size();
    for (const auto& [key, value] : request->query) bytes += key.size() + value.size();
    CHECK(bytes <= size);
  }
  CHECK(BearerOf(text).size() <= size);
  (void)NamesThisMachine(text);
  if (const auto address = ParseListenAddress(std::string(text)))
    CHECK(address->host.size() < size);
  return fuzz::kKeep;
}
