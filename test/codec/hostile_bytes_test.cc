// JSON, protobuf and dumps that cost a careless reader more than their size. Each is read in a
// process of its own, in at most a second a MB and 256 MB.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>

#include "codec/dump.h"
#include "codec/json/parse.h"
#include "codec/kube_proto.h"
#include "test/cost.h"
#include "test/hostile_yaml.h"

namespace batholith {
namespace {

constexpr std::size_t kSizes[] = {std::size_t{256} << 10U, std::size_t{1} << 20U};

std::string Number(std::size_t i) { return std::to_string(i); }

std::vector<HostileYaml> HostileJsons(std::size_t n) {
  return {
      {"open lists", UpTo(n, "[")},
      {"open objects", UpTo(n, "{\"a\":")},
      {"empty lists", "[" + UpTo(n, "[],") + "[]]"},
      {"empty objects", "[" + UpTo(n, "{},") + "{}]"},
      {"zeros", "[" + UpTo(n, "0,") + "0]"},
      {"a long number", UpTo(n, "1")},
      {"a long fraction", "0." + UpTo(n, "1")},
      {"a long exponent", "1e" + UpTo(n, "9")},
      {"a long text", "\"" + UpTo(n, "x") + "\""},
      {"an open text", "\"" + UpTo(n, "x")},
      {"escapes", "\"" + UpTo(n, "\\u00e9") + "\""},
      {"lone surrogates", "\"" + UpTo(n, "\\ud800") + "\""},
      {"a long key", "{\"" + UpTo(n, "x") + "\":1}"},
      {"many keys",
       "{" + UpTo(n, [](std::size_t i) { return "\"k" + Number(i) + "\":1,"; }) + "\"z\":1}"},
      {"one key often", "{" + UpTo(n, "\"a\":1,") + "\"a\":1}"},
      {"texts one after another", UpTo(n, "1 ")},
      {"objects one after another", UpTo(n, "{}")},
      {"waves",
       "[" + UpTo(n, [](std::size_t) { return UpTo(90, "[") + UpTo(90, "]") + ","; }) + "1]"},
      {"spaces", UpTo(n, " ") + "1"},
      {"commas", "[" + UpTo(n, ",")},
  };
}

TEST(HostileBytes, json_is_read_in_time_and_memory_of_its_size) {
  for (const std::size_t size : kSizes) {
    for (const auto& [name, text] : HostileJsons(size)) {
      ExpectBounded(name, size, [&text = text] {
        const auto values = ParseJson(text);
        return values ? std::string() : values.error().reason;
      });
    }
  }
}

TEST(HostileBytes, a_dump_is_read_in_time_and_memory_of_its_size) {
  for (const std::size_t size : kSizes) {
    std::vector<HostileYaml> dumps = HostileJsons(size);
    dumps.push_back({"empty lines", UpTo(size, "\n")});
    dumps.push_back({"versions", UpTo(size, "{\"version\":1}\n")});
    const std::string head =
        R"({"version":1,"cycle":1,"now":"2026-01-01T00:00:00Z","conf":"","options":)"
        R"({"schedulerNames":[],"defaultQueue":""},"objects":{"items":[)";
    dumps.push_back({"items", head + UpTo(size, "{},") + "{}]}}"});
    dumps.push_back(
        {"namespaces", head + UpTo(size, [](std::size_t i) {
                         return R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" +
                                Number(i) + "\"}},";
                       }) + "{}]}}"});
    for (const auto& [name, text] : dumps) {
      const Cost cost = ExpectBounded(name, size, [&text = text] {
        std::istringstream in(text);
        DumpReader reader(in, "dump");
        auto session = reader.Next();
        while (session && *session) session = reader.Next();
        return session ? std::string("none") : session.error().message;
      });
      EXPECT_TRUE(cost.said == "none" || cost.said.starts_with("dump: line 1: "))
          << name << ": " << cost.said.substr(0, 200);
    }
  }
}

std::string Varint(std::size_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  return out + static_cast<char>(value);
}

std::string Sent(unsigned number, const std::string& bytes) {
  return Varint(number << 3U | 2U) + Varint(bytes.size()) + bytes;
}

std::string Enveloped(const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + Sent(1, Sent(1, "v1") + Sent(2, kind)) + Sent(2, raw);
}

// Pod {metadata = 1, spec = 2}; metadata {name = 1, labels = 11}; spec {containers = 2}; a node
// selector term nests no deeper than its type.
std::vector<HostileYaml> HostileProtos(std::size_t n) {
  std::string nested;
  for (std::size_t i = 0; i < 3000 && nested.size() < n; ++i) nested = Sent(2, nested);
  const std::string labels =
      UpTo(n, [](std::size_t i) { return Sent(11, Sent(1, Number(i)) + Sent(2, "")); });
  return {
      {"no envelope", UpTo(n, "x")},
      {"empty containers", Enveloped("Pod", Sent(2, UpTo(n, Sent(2, ""))))},
      {"small containers", Enveloped("Pod", Sent(2, UpTo(n, Sent(2, Sent(1, "a")))))},
      {"empty specs", Enveloped("Pod", UpTo(n, Sent(2, "")))},
      {"one label often", Enveloped("Pod", Sent(1, UpTo(n, Sent(11, ""))))},
      {"many labels", Enveloped("Pod", Sent(1, labels))},
      {"a long name", Enveloped("Pod", Sent(1, Sent(1, UpTo(n, "x"))))},
      {"a name that is no UTF-8", Enveloped("Pod", Sent(1, Sent(1, UpTo(n, "\xff"))))},
      {"nested bytes", Enveloped("Pod", nested)},
      {"unknown fields", Enveloped("Pod", UpTo(n, Sent(1000, "")))},
      {"a length that lies", Enveloped("Pod", "\x0a\xff\xff\xff\xff\x0f" + UpTo(n, "x"))},
      {"long numbers", Enveloped("Pod", UpTo(n, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))},
      {"many kinds", std::string("k8s\0", 4) + UpTo(n, Sent(1, Sent(2, "Pod")))},
      {"empty pods", Enveloped("PodList", UpTo(n, Sent(2, "")))},
      {"small pods", Enveloped("PodList", UpTo(n, Sent(2, Sent(1, Sent(1, "a")))))},
  };
}

TEST(HostileBytes, protobuf_is_read_in_time_and_memory_of_its_size) {
  for (const std::size_t size : kSizes) {
    for (const auto& [name, bytes] : HostileProtos(size)) {
      ExpectBounded(name, size, [&bytes = bytes] {
        const auto object = DecodeKubeObject(bytes);
        const auto list = DecodeKubeList(bytes);
        const auto event = DecodeKubeWatchFrame(bytes);
        return object && list && event ? std::string() : std::string("refused");
      });
    }
  }
}

}  // namespace
}  // namespace batholith
