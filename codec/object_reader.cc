#include "codec/object_reader.h"

#include <algorithm>

#include "codec/kube_kinds.h"
#include "codec/made_groups.h"

namespace batholith {
namespace {

// Sessions ask pods for annotations of Volcano, of slack and of node groups alone. Others may be
// long, and a cluster has very many.
void DropUnreadAnnotations(PodRecord& pod) {
  std::erase_if(pod.meta.annotations.Edit(), [](const auto& annotation) {
    const std::string& key = annotation.first;
    return !key.contains("volcano.sh/") && !key.starts_with("slack.batholith.dev/") &&
           !key.starts_with("cluster-autoscaler.kubernetes.io/") &&
           key != "kubernetes.io/config.mirror";
  });
}

}  // namespace

bool ObjectReader::IsOurs(const PodRecord& pod) const {
  return std::ranges::find(scheduler_names_, pod.scheduler_name) != scheduler_names_.end();
}

Result<ObjectReader::Read> ObjectReader::ReadObject(const boost::json::value& value) {
  Flaws flaws;
  const Field object(&value, "", &flaws);
  std::string name = "object";
  Read out;
  try {
    const std::string kind = object["kind"].Text();
    if (!kind.empty()) name = Printable(kind);
    const std::string own = ReadName(object);
    const std::string namespace_ = object["metadata"]["namespace"].Text();
    name += " " + Printable(namespace_.empty() ? own : namespace_ + "/" + own);
    const std::string version = object["apiVersion"].Text();
    const std::size_t slash = version.find('/');
    const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
    const KubeKind* kube = FindKindOfGroup(group, kind);
    if (kube == nullptr) object["kind"].Fail("nobody reads it");
    ReadContext context{group, kind, constraints_, out.warnings};
    ObjectRecord record = kube->read(object, context);
    if (flaws.count() != 0) {
      out.flaw = name + ": " + flaws.first();
      std::visit([&](auto& r) { r.meta.flaw = flaws.first(); }, record);
    }
    if (auto* pod = std::get_if<PodRecord>(&record)) {
      std::optional<PodGroupRecord> made;
      if (pod->group.empty() && IsOurs(*pod))
        made = MakeGroupOf(*pod, default_queue_, out.warnings);
      if (!scheduler_names_.empty() && !IsOurs(*pod)) ForgetForeignGang(*pod);
      if (IsOurs(*pod) && NamesGang(*pod)) made = MakeGangOf(*pod);
      DropUnreadAnnotations(*pod);
      out.records.push_back(std::move(record));
      if (made) out.records.push_back(std::move(*made));
      return out;
    }
    if (auto* made = std::get_if<PodGroupRecord>(&record);
        made != nullptr && made->queue.empty() && made->api == GroupApi::kVolcano)
      made->queue = default_queue_;
    out.records.push_back(std::move(record));
    return out;
  } catch (const FieldError& e) {
    return Invalid(name + ": " + e.what());
  }
}

}  // namespace batholith
