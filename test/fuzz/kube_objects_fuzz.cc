// One object or a page of a list in the API server's protobuf → JSON values → records.
#include <boost/json.hpp>

#include "codec/json/parse.h"
#include "codec/kube_proto.h"
#include "codec/object_reader.h"
#include "test/fuzz/fuzz.h"

namespace batholith {
namespace {

void Read(const boost::json::value& object, ObjectReader& reader) {
  // It is JSON that a JSON reader takes: UTF-8, no key twice.
  CHECK(ParseJson(boost::json::serialize(object)).has_value());
  const auto read = reader.ReadObject(object);
  CHECK(read ? !read->records.empty() : !read.error().message.empty());
}

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  ObjectReader reader({"volcano"}, "default");
  const std::string_view envelope = fuzz::TextOf(data, size);
  if (const auto object = DecodeKubeObject(envelope)) Read(*object, reader);
  if (const auto list = DecodeKubeList(envelope)) {
    for (const auto& item : list->items) Read(item, reader);
  }
  return fuzz::kKeep;
}
