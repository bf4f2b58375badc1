// What an API server sends as protobuf reads as its JSON does. The samples are in kube_wire: JSON,
// and the protobuf that Kubernetes' own code makes of it (kube_wire/make).
#include "codec/kube_proto.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>
#include <proto/core.pb.h>
#include <proto/policy.pb.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "codec/decode.h"
#include "codec/json/parse.h"
#include "test/codec/decode_env.h"
#include "test/codec/same_objects.h"
#include "test/source_dir.h"

namespace batholith {
namespace {

namespace json = boost::json;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

std::string Sample(const std::string& file) {
  std::ifstream in(std::string(SourceDir()) + "/test/codec/kube_wire/" + file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

json::value JsonSample(const std::string& name) { return ParseJson(Sample(name + ".json"))->at(0); }

json::value ProtoSample(const std::string& name) {
  Result<json::value> object = DecodeKubeObject(Sample(name + ".pb"));
  EXPECT_TRUE(object) << name << ": " << object.error().message;
  return object.value_or(nullptr);
}

Loaded Records(const json::value& object) {
  ManifestDecoder decoder({.now = kNow});
  decoder.Add(object, "object");
  return decoder.Finish();
}

std::string Refusal(const Result<json::value>& object) {
  return object ? "" : object.error().message;
}

// A field of a message in the wire format; numbers up to 15 and lengths up to 127.
std::string WireField(int number, const std::string& bytes) {
  return static_cast<char>(number << 3 | 2) + (static_cast<char>(bytes.size()) + bytes);
}

std::string Envelope(const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + WireField(1, WireField(1, "v1") + WireField(2, kind)) +
         WireField(2, raw);
}

const std::vector<std::string> kObjects{"pod",
                                        "pod_bare",
                                        "node",
                                        "namespace",
                                        "resource_quota",
                                        "priority_class",
                                        "disruption_budget"};

TEST(KubeProto, protobuf_and_json_give_the_same_record) {
  for (const std::string& name : kObjects) {
    const Loaded a = Records(JsonSample(name));
    const Loaded b = Records(ProtoSample(name));
    EXPECT_EQ(JoinedLines(a.refused), "") << name;
    EXPECT_EQ(JoinedLines(b.refused), "") << name;
    EXPECT_EQ(FirstDifference(a.objects, b.objects), "") << name;
  }
}

TEST(KubeProto, what_is_read_stands_in_the_json_in_the_same_words) {
  const json::value pod = ProtoSample("pod");
  const json::value sent = JsonSample("pod");
  for (const char* path :
       {"/apiVersion", "/kind", "/metadata/creationTimestamp", "/metadata/annotations",
        "/metadata/resourceVersion", "/metadata/deletionGracePeriodSeconds", "/spec/priority",
        "/spec/affinity", "/spec/tolerations", "/spec/topologySpreadConstraints", "/spec/resources",
        "/spec/terminationGracePeriodSeconds"}) {
    EXPECT_EQ(pod.at_pointer(path), sent.at_pointer(path)) << path;
  }
  EXPECT_EQ(ProtoSample("resource_quota").at_pointer("/status"),
            JsonSample("resource_quota").at_pointer("/status"));
  json::value status = JsonSample("status");
  status.as_object().erase("metadata");
  status.as_object().erase("details");
  EXPECT_EQ(ProtoSample("status"), status);
}

// Marks the fields of the schema that an object has.
void Mark(const Descriptor& type, const json::value& value, std::set<std::string>& seen) {
  if (!value.is_object()) return;
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    // The fields of a volume's source stand beside its name in JSON.
    const bool inlined = field.name() == "volumeSource";
    const json::value* here = inlined ? &value : value.get_object().if_contains(field.name());
    if (here == nullptr) continue;
    seen.insert(field.full_name());
    if (field.message_type() == nullptr || field.is_map()) continue;
    if (const json::array* list = here->if_array()) {
      for (const json::value& item : *list) Mark(*field.message_type(), item, seen);
    } else {
      Mark(*field.message_type(), *here, seen);
    }
  }
}

void AllFields(const Descriptor& type, std::set<std::string>& out) {
  if (&type == kube::Time::descriptor() || &type == kube::Quantity::descriptor()) return;
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (!out.insert(field.full_name()).second) continue;
    if (field.message_type() != nullptr && !field.is_map()) AllFields(*field.message_type(), out);
  }
}

TEST(KubeProto, every_field_of_the_schema_is_in_a_sample) {
  std::set<std::string> all;
  std::set<std::string> seen;
  const auto check = [&](const Descriptor& type, const std::string& name) {
    AllFields(type, all);
    Mark(type, ProtoSample(name), seen);
  };
  check(*kube::Pod::descriptor(), "pod");
  check(*kube::Node::descriptor(), "node");
  check(*kube::Namespace::descriptor(), "namespace");
  check(*kube::ResourceQuota::descriptor(), "resource_quota");
  check(*kube::PriorityClass::descriptor(), "priority_class");
  check(*kube::PodDisruptionBudget::descriptor(), "disruption_budget");
  check(*kube::Status::descriptor(), "status");
  EXPECT_EQ(seen, all);
}

TEST(KubeProto, what_is_sent_empty_and_is_no_pointer_stands_not_in_the_json) {
  const json::value pod = ProtoSample("pod");
  const json::object& port = pod.at_pointer("/spec/containers/0/ports/0").as_object();
  EXPECT_FALSE(port.contains("hostPort"));
  EXPECT_FALSE(port.contains("hostIP"));
  EXPECT_FALSE(
      ProtoSample("pod_bare").at_pointer("/metadata").as_object().contains("creationTimestamp"));
  EXPECT_EQ(ProtoSample("pod_bare").at_pointer("/spec/priority"), 0);
  EXPECT_EQ(pod.at_pointer("/spec/topologySpreadConstraints/1/labelSelector"), json::object());
}

TEST(KubeProto, a_list_gives_its_items_their_kind) {
  const auto list = DecodeKubeList(Sample("pod_list.pb"));
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->resource_version, "815");
  EXPECT_EQ(list->continue_token, "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ");
  ASSERT_EQ(list->items.size(), 2U);
  ManifestDecoder decoder({.now = kNow});
  for (const json::value& item : list->items) decoder.Add(item, "list");
  const Loaded a = decoder.Finish();
  const Loaded b = Records(JsonSample("pod_list"));
  EXPECT_EQ(JoinedLines(a.refused), "");
  EXPECT_EQ(a.objects.pods.size(), 2U);
  EXPECT_EQ(FirstDifference(a.objects, b.objects), "");
}

TEST(KubeProto, an_empty_list_has_a_version_and_no_more_pages) {
  const auto list = DecodeKubeList(Sample("budget_list_empty.pb"));
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->resource_version, "1");
  EXPECT_EQ(list->continue_token, "");
  EXPECT_TRUE(list->items.empty());
}

TEST(KubeProto, a_watch_frame_has_a_type_and_an_object) {
  for (const char* name : {"watch_added", "watch_bookmark", "watch_error"}) {
    const auto event = DecodeKubeWatchFrame(Sample(std::string(name) + ".pb"));
    ASSERT_TRUE(event) << event.error().message;
    const json::value sent = JsonSample(name);
    EXPECT_EQ(event->type, sent.at("type").as_string());
    for (const char* path : {"/kind", "/apiVersion", "/metadata", "/code", "/reason", "/message"}) {
      json::error_code none;
      const json::value* expected = sent.at("object").find_pointer(path, none);
      if (expected == nullptr || *expected == json::object()) continue;
      EXPECT_EQ(event->object.at_pointer(path), *expected) << name << path;
    }
  }
}

TEST(KubeProto, refusals_say_what_is_wrong) {
  struct Row {
    std::string bytes;
    std::string message;
  };
  const std::string pod = Envelope("Pod", "");
  const std::string meta = WireField(1, WireField(1, "v1") + WireField(2, "Pod"));
  const std::vector<Row> rows{
      {"", "object: protobuf: must begin with the bytes k8s and 0"},
      {R"({"kind": "Pod"})", "object: protobuf: must begin with the bytes k8s and 0"},
      {pod.substr(0, 4), "object: raw: is missing"},
      {pod.substr(0, 4) + meta, "object: raw: is missing"},
      {pod + WireField(3, "gzip"), "object: contentEncoding: gzip is not supported"},
      {Envelope("Lease", ""), "object: kind: no protobuf is read of kind Lease of v1"},
      {Envelope("Pod", "\x0a\x05"), "object: Pod: protobuf: ends too early"},
      {Envelope("Pod", "\x0a"), "object: Pod: protobuf: ends too early"},
      {Envelope("Pod", WireField(2, "\x50\x01")),
       "object: Pod: PodSpec.nodeName: is sent as another type"},
      {Envelope("Pod", "\x0b"), "object: Pod: protobuf: field 1 has a type that is not known"},
      {Envelope("Pod", "\x02"), "object: Pod: protobuf: a field has no valid number"},
      {Envelope("Pod", std::string(11, '\xff')),
       "object: Pod: protobuf: a number is longer than 10 bytes"},
  };
  for (const Row& row : rows) EXPECT_EQ(Refusal(DecodeKubeObject(row.bytes)), row.message);
  EXPECT_EQ(DecodeKubeList(pod).error().message, "list: kind: must be a list, is Pod");
  EXPECT_EQ(DecodeKubeWatchFrame(WireField(2, WireField(1, pod))).error().message,
            "watch event: type: is missing");
  EXPECT_EQ(DecodeKubeWatchFrame(WireField(1, "ADDED")).error().message,
            "watch event: protobuf: must begin with the bytes k8s and 0");
}

TEST(KubeProto, fields_that_the_schema_has_not_are_skipped_whatever_their_type) {
  const std::string more = WireField(15, "text") + std::string("\x70\x07") +  // a number
                           std::string("\x71") + std::string(8, '\1') +       // 64 bits
                           std::string("\x75") + std::string(4, '\1');        // 32 bits
  const auto object = DecodeKubeObject(
      Envelope("Namespace", more + WireField(1, WireField(1, "a") + more) + more) + more);
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->at("metadata"), (json::object{{"name", "a"}}));
}

TEST(KubeProto, parts_of_one_message_are_put_together) {
  const auto object =
      DecodeKubeObject(Envelope("Namespace", WireField(1, WireField(1, "a") + WireField(5, "u")) +
                                                 WireField(1, WireField(1, "b"))));
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->at("metadata"), (json::object{{"name", "b"}, {"uid", "u"}}));
}

TEST(KubeProto, bytes_that_are_no_text_become_replacement_characters) {
  const auto object =
      DecodeKubeObject(Envelope("Namespace", WireField(1, WireField(1, "a\xff\xc3\xa9\xe2\x82"))));
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->at_pointer("/metadata/name").as_string(), "a\ufffd\u00e9\ufffd\ufffd");
}

TEST(KubeProto, a_time_that_no_record_can_hold_is_one_far_away) {
  const std::string late = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
  const auto object =
      DecodeKubeObject(Envelope("Namespace", WireField(1, WireField(1, "a") + WireField(8, late))));
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->at_pointer("/metadata/creationTimestamp").as_string(), "9999-12-31T23:59:59Z");
  EXPECT_EQ(JoinedLines(Records(*object).refused), "");
}

TEST(KubeProto, what_is_cut_off_is_refused_at_every_byte) {
  const std::string pod = Sample("pod.pb");
  constexpr std::size_t kAfterObject = 4;  // contentEncoding and contentType, both empty
  for (std::size_t n = 0; n < pod.size() - kAfterObject; ++n)
    EXPECT_FALSE(DecodeKubeObject(std::string(pod, 0, n))) << n;
  const std::string frame = Sample("watch_bookmark.pb");
  for (std::size_t n = 0; n < frame.size(); ++n)
    EXPECT_FALSE(DecodeKubeWatchFrame(std::string(frame, 0, n))) << n;
  const std::string list = Sample("pod_list.pb");
  for (std::size_t n = 0; n < list.size() - kAfterObject; ++n)
    EXPECT_FALSE(DecodeKubeList(std::string(list, 0, n))) << n;
}

TEST(KubeProto, a_changed_byte_is_refused_or_read) {
  std::string pod = Sample("pod.pb");
  for (char& byte : pod) {
    const char was = byte;
    for (const int change : {0x01, 0x07, 0x08, 0x80, 0xff}) {
      byte = static_cast<char>(was ^ change);
      if (const auto object = DecodeKubeObject(pod)) (void)Records(*object);
    }
    byte = was;
  }
}

}  // namespace
}  // namespace batholith
