#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "api/result.h"
#include "cmd/conf_file.h"
#include "framework/pipeline.h"
#include "scheduler/compile_conf.h"

namespace batholith {

// The scheduler conf of a daemon, as its file says now; what it names and this build does not have
// is left out of it. The file alone is looked at, through links:
// a ConfigMap's swap of links is seen, and another file of its folder is not. What it says is read
// and compiled on a thread of its own, one at a time, so that no session waits for a file.
class ConfReload {
 public:
  using ReadFile = std::function<Result<std::string>(const std::string& path)>;

  // An empty path is the built-in conf, which never changes. A text that takes longer than
  // `patience` is given up.
  explicit ConfReload(std::string path, ReadFile read = ReadConfFile,
                      std::chrono::milliseconds patience = std::chrono::seconds(10))
      : path_(std::move(path)), read_(std::move(read)), patience_(patience) {}
  ~ConfReload();
  ConfReload(const ConfReload&) = delete;
  ConfReload& operator=(const ConfReload&) = delete;

  struct Change {
    bool adopted = false;  // else the file is bad, and the conf before goes on
    std::string message;   // why, or the warnings
  };

  // The first conf. A bad file gives the built-in one and says so, unless `must_be_good`.
  Result<Change> Load(bool must_be_good);
  // Looks at the file again, and never waits: where it changed, the change comes with a later look,
  // and until then the conf is `reading`. Nothing where it says what it said. A bad text, and one
  // that was given up, is told once.
  std::optional<Change> Look();
  bool reading() const { return reading_.has_value(); }

  const Pipeline& pipeline() const { return *pipeline_; }
  const std::vector<LeftOut>& left_out() const { return left_out_; }  // of it
  const std::string& text() const { return text_; }                   // of the conf in force

 private:
  using Stamp = std::tuple<std::uintmax_t, std::uintmax_t, std::int64_t, std::uintmax_t>;

  // What a file says, and the conf of it where it says something.
  struct Judged {
    Result<std::string> text;
    std::optional<Result<CompiledConf>> conf;
  };
  struct Reading {
    std::future<Judged> judged;
    std::chrono::steady_clock::time_point since;
    bool given_up = false;
  };

  static Judged Judge(const ReadFile& read, const std::string& path);
  std::optional<Stamp> StampOf() const;
  void Start();
  std::optional<Change> Take(Judged judged);
  Change Adopt(CompiledConf conf, std::string text);
  Result<Change> AdoptBuiltIn();

  std::string path_;
  ReadFile read_;
  std::chrono::milliseconds patience_;
  std::optional<Reading> reading_;
  std::optional<Stamp> stamp_;
  std::string seen_;  // the text that was judged last
  std::string text_;
  std::vector<LeftOut> left_out_;
  std::shared_ptr<const Pipeline> pipeline_;
};

}  // namespace batholith
