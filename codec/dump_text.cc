#include "codec/dump_text.h"

#include <boost/json.hpp>
#include <utility>

#include "api/time_text.h"
#include "codec/encode.h"
#include "codec/encode_parts.h"
#include "codec/json/text.h"

namespace batholith {
namespace {

namespace json = boost::json;

// A text that is there as a whole.
DumpText::Decisions Whole(const json::value& decisions) {
  return [&decisions, told = false](std::size_t /*bytes*/) mutable {
    return std::exchange(told, true) ? std::string() : JsonText(decisions);
  };
}

}  // namespace

DumpText::DumpText(const SessionDump& dump, Decisions decisions)
    : dump_(dump), decisions_(decisions ? std::move(decisions) : Whole(dump.decisions)) {}

std::string DumpText::Head() const {
  json::object head{{"version", kDumpVersion},
                    {"cycle", dump_.cycle},
                    {"now", FormatTime(dump_.now)},
                    {"conf", dump_.conf}};
  head["options"] = {
      {"schedulerNames", json::array(dump_.scheduler_names.begin(), dump_.scheduler_names.end())},
      {"defaultQueue", dump_.default_queue},
      {"figuresOnly", dump_.figures_only}};
  const NodeScope& scope = dump_.node_scope;
  json::object& options = head["options"].as_object();
  if (dump_.hold_device_claims) options["holdDeviceClaims"] = true;
  Put(options, "nodeSelectors", TextList(SelectorTexts(scope)));
  if (scope.sharding != Sharding::kNone) {
    options["sharding"] = kWordsOf<Sharding>[static_cast<std::size_t>(scope.sharding)];
    options["shard"] = scope.shard;
  }
  if (!dump_.memory.empty()) head["memory"] = Encode(dump_.memory);
  std::string text = JsonText(head);
  text.pop_back();
  return text + R"(,"objects":{"apiVersion":"v1","kind":"List","items":[)";
}

bool DumpText::AppendObjects(std::size_t bytes, std::string& text) {
  std::size_t before = 0;  // of the kinds that were passed
  ForEachRecordList([&](auto list) {
    const auto& records = (*dump_.objects).*list;
    while (text.size() < bytes && written_ - before < records.size()) {
      if (written_ > 0) text += ',';
      text += JsonText(Encode(records[written_ - before]));
      ++written_;
    }
    before += records.size();
  });
  return written_ == before;
}

std::string DumpText::Next(std::size_t bytes) {
  std::string text;
  if (stage_ == Stage::kHead) {
    text = Head();
    stage_ = Stage::kObjects;
  }
  if (stage_ == Stage::kObjects && AppendObjects(bytes, text)) {
    text += R"(]},"decisions":)";
    stage_ = Stage::kDecisions;
  }
  while (stage_ == Stage::kDecisions && text.size() < bytes) {
    const std::string more = decisions_(bytes - text.size());
    if (more.empty()) {
      text += "}\n";
      stage_ = Stage::kOver;
    }
    text += more;
  }
  return text;
}

void WriteDump(const SessionDump& dump, std::ostream& out) {
  constexpr std::size_t kPart = 64 << 10;
  DumpText text(dump);
  for (std::string part = text.Next(kPart); !part.empty(); part = text.Next(kPart)) out << part;
}

}  // namespace batholith
