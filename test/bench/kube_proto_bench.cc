// How many pods a second one core makes of an API server's protobuf: kube_proto_bench POD.pb [PODS]
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include "codec/kube_proto.h"
#include "codec/pod.h"

namespace batholith {
namespace {

// Processor seconds for `pods` decodings; wire → JSON value, and → record where `records`.
double Measure(const std::string& envelope, int pods, bool records) {
  ConstraintTable constraints;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < pods; ++i) {
    const auto object = DecodeKubeObject(envelope);
    if (records) (void)ReadPod(Field(&*object, ""), constraints);
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

int Run(const std::string& path, int pods) {
  std::ifstream in(path, std::ios::binary);
  const std::string envelope(std::istreambuf_iterator<char>(in), {});
  const auto object = DecodeKubeObject(envelope);
  if (!object) {
    fmt::print(stderr, "{}\n", object.error().message);
    return 1;
  }
  for (const bool records : {false, true}) {
    const double seconds = Measure(envelope, pods, records);
    fmt::print("{} pods of {} bytes, wire to {}: {:.2f} s, {:.0f} a second\n", pods,
               envelope.size(), records ? "record" : "JSON value", seconds, pods / seconds);
  }
  return 0;
}

}  // namespace
}  // namespace batholith

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: kube_proto_bench POD.pb [PODS]\n");
    return 2;
  }
  return batholith::Run(argv[1], argc > 2 ? std::atoi(argv[2]) : 100'000);
}
