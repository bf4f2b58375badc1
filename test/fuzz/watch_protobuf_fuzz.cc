// The bytes of a watch in protobuf in frames → events → records.
#include "test/fuzz/fuzz.h"
#include "test/fuzz/watch_bytes.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  fuzz::ReadWatch(WatchEncoding::kProtobuf, fuzz::TextOf(data, size));
  return fuzz::kKeep;
}
