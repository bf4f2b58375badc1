#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "api/result.h"
#include "framework/pipeline.h"

namespace batholith {

// The scheduler conf of a daemon, as its file says now. The file alone is looked at, through links:
// a ConfigMap's swap of links is seen, and another file of its folder is not.
class ConfReload {
 public:
  // An empty path is the built-in conf, which never changes.
  explicit ConfReload(std::string path) : path_(std::move(path)) {}

  struct Change {
    bool adopted = false;  // else the file is bad, and the conf before goes on
    std::string message;   // why, or the warnings
  };

  // The first conf. A bad file gives the built-in one and says so, unless `must_be_good`.
  Result<Change> Load(bool must_be_good);
  // Looks at the file again; nothing where it says what it said. A bad text is told once.
  std::optional<Change> Look();

  const Pipeline& pipeline() const { return *pipeline_; }
  const std::string& text() const { return text_; }  // of the conf in force

 private:
  using Stamp = std::tuple<std::uintmax_t, std::uintmax_t, std::int64_t, std::uintmax_t>;

  std::optional<Stamp> StampOf() const;
  Result<Change> Adopt(std::string text, const std::string& name);

  std::string path_;
  std::optional<Stamp> stamp_;
  std::string seen_;  // the text that was judged last
  std::string text_;
  std::shared_ptr<const Pipeline> pipeline_;
};

}  // namespace batholith
