#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <utility>

#include "api/time_text.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/indented_json.h"
#include "cmd/output.h"
#include "cmd/session_dump.h"
#include "cmd/table/replay_tables.h"
#include "codec/load.h"
#include "conf/load.h"
#include "scheduler/compile_conf.h"

namespace batholith {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

int Complain(const std::string& message) {
  std::cerr << "batholith replay: " << message << "\n";
  return kBadInput;
}

// The pipelines of sessions: of one conf for all, or of the conf of each; compiled when it changes.
class PipelineOfSession {
 public:
  // Without a file the conf of each session: what a daemon left out of it is left out again.
  PipelineOfSession(std::string conf_file, bool lenient)
      : file_(std::move(conf_file)),
        missing_(lenient || file_.empty() ? MissingParts::kLeftOut : MissingParts::kRefused) {}

  Result<std::shared_ptr<const Pipeline>> For(const SessionDump& dump, const std::string& where) {
    if (pipeline_ != nullptr && (!file_.empty() || dump.conf == text_)) return pipeline_;
    Result<std::string> text = file_.empty() ? dump.conf : ReadText(file_, kMaxConfBytes);
    if (!text) return std::unexpected(text.error());
    const Result<CompiledConf> conf =
        CompileConf(*text, file_.empty() ? where + ": conf" : file_, missing_);
    if (!conf) return std::unexpected(conf.error());
    for (const std::string& w : conf->warnings) std::cerr << "warning: " << w << "\n";
    text_ = std::move(*text);
    pipeline_ = conf->pipeline;
    return pipeline_;
  }

 private:
  std::string file_;
  MissingParts missing_;
  std::string text_;
  std::shared_ptr<const Pipeline> pipeline_;
};

void PrintJson(const SessionDump& dump, const ReplayedSession& session) {
  json::array differences;
  for (const Difference& d : session.differences) {
    json::object one{{"where", d.where}};
    if (d.recorded) one["recorded"] = *d.recorded;
    if (d.now) one["now"] = *d.now;
    differences.push_back(std::move(one));
  }
  json::object line{{"cycle", dump.cycle}};
  line["equal"] =
      dump.decisions.is_null() ? json::value(nullptr) : json::value(session.differences.empty());
  line["differences"] = std::move(differences);
  line["decisions"] = Decisions(session.outcome);
  std::cout << JsonFor(STDOUT_FILENO, line);
}

int ReplayAll(std::istream& in, const std::string& name, PipelineOfSession& pipelines,
              ReplayTables* table) {
  DumpReader reader(in, name);
  bool equal = true;
  while (true) {
    Result<std::optional<SessionDump>> dump = reader.Next();
    if (!dump) return Complain(dump.error().message);
    if (!*dump) break;
    const std::string where = name + ": line " + std::to_string(reader.line());
    const auto pipeline = pipelines.For(**dump, where);
    if (!pipeline) return Complain(pipeline.error().message);
    Result<ReplayedSession> session = Replay(**dump, **pipeline);
    if (!session) return Complain(where + ": objects: " + session.error().message);
    equal = equal && session->differences.empty();
    if (table == nullptr) {
      PrintJson(**dump, *session);
    } else {
      table->Print(**std::move(dump), *std::move(session));
    }
  }
  if (reader.sessions() == 0) return Complain(name + ": there is no session in it");
  if (table != nullptr) table->End();
  std::cout << std::flush;
  return equal ? kDone : kAnswerIsNo;
}

struct Wanted {
  std::vector<std::string> dumps;
  std::string conf_file;
  std::string output;
  bool lenient = false, all = false;
};

CommandPage PageOf(Wanted& w) {
  CommandPage page{"replay", "[flags] DUMP", "Decides the sessions of a dump again, offline.",
                   "Shows where the decisions differ from those that were recorded. Exit status: 0 "
                   "as recorded, 1 different."};
  page.positional = "dump";
  auto add = page.flags.add_options();
  add("help,h", "this text");
  add("dump", po::value(&w.dumps)->value_name("DUMP"),
      "what simulate --dump wrote, or - ; also without the flag");
  add("scheduler-conf", po::value(&w.conf_file)->value_name("FILE"),
      "decide under this conf and not under the recorded one");
  add("lenient", Switch(w.lenient),
      "leave out what that conf names and this build does not have, as a daemon does");
  add("all", Switch(w.all), "every session, and not only those that differ and the last one");
  add("output,o", po::value(&w.output)->default_value("table"),
      "table or json (one object a session, on a line; on a terminal in many)");
  return page;
}

}  // namespace

CommandPage ReplayPage() {
  Wanted wanted;
  return PageOf(wanted);
}

int ReplayCommand(const std::vector<std::string>& arguments) {
  Wanted w;
  const ParsedFlags parsed = ParseFlags(PageOf(w), arguments);
  if (parsed.stop) return parsed.status;
  if (w.dumps.size() != 1) return Complain("exactly one DUMP is required");
  if (w.output != "table" && w.output != "json")
    return Complain("--output " + w.output + ": must be table or json");
  const std::string& path = w.dumps.front();
  PipelineOfSession pipelines(w.conf_file, w.lenient);
  ReplayTables tables(w.all);
  ReplayTables* const table = w.output == "json" ? nullptr : &tables;
  if (path == "-") return ReplayAll(std::cin, "standard input", pipelines, table);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Complain(path + ": is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) return Complain(path + ": cannot be read");
  return ReplayAll(in, path, pipelines, table);
}

}  // namespace batholith
