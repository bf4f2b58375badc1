// A scheduler conf → a pipeline, as `--scheduler-conf` and a reload read it.
#include "scheduler/compile_conf.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto conf = batholith::CompileConf(batholith::fuzz::TextOf(data, size), "f.conf");
  if (conf) {
    CHECK(conf->pipeline != nullptr);
  } else {
    CHECK(!conf.error().message.empty());
  }
  return batholith::fuzz::kKeep;
}
