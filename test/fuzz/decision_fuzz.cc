// The whole decision: bytes → a cluster and a conf → sessions.
#include "conf/default_conf.h"
#include "scheduler/compile_conf.h"
#include "test/fuzz/byte_cluster.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/sessions.h"

namespace batholith {
namespace {

// With its default switches, so that it alone says who is whole.
bool HasPlainGang(const Pipeline& pipeline) {
  for (const Pipeline::PluginEntry& plugin : pipeline.plugins) {
    if (plugin.descriptor->name != "gang") continue;
    for (unsigned p = 0; p < static_cast<unsigned>(Point::kCount); ++p) {
      const Point point = static_cast<Point>(p);
      if (plugin.points.Has(point) != PointSet::Default().Has(point)) return false;
    }
    return true;
  }
  return false;
}

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  fuzz::ByteSource bytes(data, size);
  const bool recreate = bytes.Sometimes(2);
  auto conf = CompileConf(fuzz::MakeConf(bytes), "f.conf");
  if (!conf) conf = CompileConf(DefaultConfText(), "default");
  CHECK(conf.has_value());
  const auto manifests = fuzz::MakeManifests(bytes);
  fuzz::RunAndCheck(manifests, conf->pipeline, HasPlainGang(*conf->pipeline), recreate);
  return fuzz::kKeep;
}
