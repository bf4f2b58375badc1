#include "codec/dump.h"

#include <array>
#include <boost/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "codec/encode.h"
#include "codec/json/parse.h"
#include "codec/kube_kinds.h"
#include "codec/limits.h"
#include "codec/yaml.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Reads the items of one session.
class ItemReader {
 public:
  ClusterObjects Read(const Field& items) {
    if (!items.present()) items.Fail("is missing");
    for (const Field& item : items.Items()) {
      // They come from a server, perhaps, and were read as such; a flaw that is told is no fault
      // of the dump.
      Flaws flaws;
      ReadItem(Field(item.value(), item.path(), &flaws));
      if (flaws.count() != 0 && !item["batholith"]["flaw"].present()) flaws.Throw();
    }
    return std::move(objects_);
  }

 private:
  void ReadItem(const Field& item) {
    const std::string kind = item["kind"].Text();
    const std::string version = item["apiVersion"].Text();
    const KubeKind* kube = FindKubeKind(version, kind);
    if (kube == nullptr || !kube->dumped) {
      item["kind"].Fail("\"" + Printable(kind) + "\" of \"" + Printable(version) +
                        "\" is not a kind of a dump");
    }
    std::vector<std::string> told_before;
    const std::string group(kube->group());
    ReadContext context{group, kind, constraints_, told_before};
    ObjectRecord record = kube->read(item, context);
    std::visit([&](auto& r) { Keep(item, std::move(r), *kube); }, record);
  }

  template <typename Record>
  void Keep(const Field& item, Record record, const KubeKind& kind) {
    if constexpr (std::is_same_v<Record, PodRecord> || std::is_same_v<Record, PodGroupRecord> ||
                  std::is_same_v<Record, CompositePodGroupRecord>)
      RestoreDerived(item, record);
    const Field meta = item["metadata"];
    const bool namespaced = IsNamespaced(kind, record);
    const bool has_namespace = !record.meta.namespace_.empty();
    if (has_namespace != namespaced)
      meta["namespace"].Fail(namespaced ? "is missing" : "must not be set");
    const std::string type = item["apiVersion"].Text() + " " + item["kind"].Text();
    if (!seen_.insert(type + " " + record.meta.Key()).second)
      meta["name"].Fail(Printable(record.meta.Key()) + " appears twice");
    record.meta.flaw = item["batholith"]["flaw"].Text();
    AllOf<Record>(objects_).push_back(std::move(record));
  }

  ClusterObjects objects_;
  ConstraintTable constraints_;
  std::set<std::string> seen_;
};

// A field that must be there.
Field Required(const Field& object, std::string_view name) {
  Field field = object[name];
  if (!field.present()) field.Fail("is missing");
  return field;
}

SessionDump ReadSession(const json::value& value) {
  const Field line(&value, "");
  const std::int64_t version = Required(line, "version").Int(0, INT64_MIN, INT64_MAX);
  if (version != kDumpVersion) {
    line["version"].Fail(std::to_string(version) + " is not supported, expected " +
                         std::to_string(kDumpVersion));
  }
  SessionDump dump;
  dump.cycle = static_cast<int>(Required(line, "cycle").Int(0, 1, INT32_MAX));
  dump.now = Required(line, "now").Time();
  dump.conf = Required(line, "conf").Text();
  const Field options = Required(line, "options");
  dump.scheduler_names = Required(options, "schedulerNames").Texts();
  dump.default_queue = Required(options, "defaultQueue").Text();
  Result<NodeScope> scope = ReadNodeScope(
      options["nodeSelectors"].Texts(), options["sharding"].Text("none"), options["shard"].Text());
  if (!scope) options.Fail(scope.error().message);
  dump.node_scope = *std::move(scope);
  dump.figures_only = options["figuresOnly"].Bool(false);
  dump.hold_device_claims = options["holdDeviceClaims"].Bool(false);
  dump.objects =
      std::make_shared<const ClusterObjects>(ItemReader().Read(Required(line, "objects")["items"]));
  dump.memory = ReadSessionMemory(line["memory"]);
  const Field decisions = line["decisions"];
  if (decisions.present()) {
    dump.decisions = decisions.Object();
  }
  return dump;
}

}  // namespace

Result<bool> DumpReader::ReadLine() {
  const auto complain = [this](const char* reason) {
    return Invalid(name_ + ": line " + std::to_string(line_) + ": " + reason);
  };
  text_.clear();
  ++line_;
  std::array<char, std::size_t{1} << 16U> part;
  // Part by part, so that an endless line ends.
  while (text_.size() <= kMaxManifestBytes) {
    in_.getline(part.data(), part.size());
    const auto n = static_cast<std::size_t>(in_.gcount());
    if (in_.bad()) return complain("cannot be read");
    if (!in_.eof() && !in_.fail()) {
      text_.append(part.data(), n - 1);  // without the end of the line
      return true;
    }
    text_.append(part.data(), n);
    if (in_.eof()) return !text_.empty();
    in_.clear();  // the line is longer than a part
  }
  return complain("larger than 512 MB");
}

Result<std::optional<SessionDump>> DumpReader::Next() {
  while (true) {
    const Result<bool> more = ReadLine();
    if (!more) return std::unexpected(more.error());
    if (!*more) return std::nullopt;
    if (text_.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = name_ + ": line " + std::to_string(line_) + ": ";
    const auto values = ParseJson(text_, {.values = LimitsOfJson(text_.size()).values});
    if (!values) {
      return Invalid(where + "column " + std::to_string(values.error().at + 1) + ": " +
                     values.error().reason);
    }
    if (values->size() != 1 || !values->front().is_object())
      return Invalid(where + "must be one JSON object");
    try {
      SessionDump dump = ReadSession(values->front());
      ++sessions_;
      return dump;
    } catch (const FieldError& e) {
      return Invalid(where + e.what());
    }
  }
}

}  // namespace batholith
