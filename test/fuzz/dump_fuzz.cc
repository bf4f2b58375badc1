// A dump, line by line → sessions. Whatever was read can be written and read again.
#include <sstream>

#include "test/fuzz/fuzz.h"
#include "test/fuzz/read_back.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  std::istringstream in{std::string(fuzz::TextOf(data, size))};
  DumpReader reader(in, "dump");
  while (true) {
    const auto session = reader.Next();
    if (!session) {
      CHECK(!session.error().message.empty());
      return fuzz::kKeep;
    }
    if (!*session) return fuzz::kKeep;
    fuzz::CheckReadsBack(**session);
  }
}
