#include "cmd/conf_reload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <utility>

#include "codec/load.h"
#include "conf/default_conf.h"
#include "verify/run.h"

namespace batholith {

// Device, inode, time of the last change and size: whatever replaces or edits a file changes one.
std::optional<ConfReload::Stamp> ConfReload::StampOf() const {
  struct stat s{};
  if (path_.empty() || stat(path_.c_str(), &s) != 0) return std::nullopt;
  return Stamp{s.st_dev, s.st_ino,
               s.st_mtim.tv_sec * std::int64_t{1'000'000'000} + s.st_mtim.tv_nsec,
               static_cast<std::uintmax_t>(s.st_size)};
}

Result<ConfReload::Change> ConfReload::Adopt(std::string text, const std::string& name) {
  Result<CompiledConf> conf = CompileConf(text, name);
  if (!conf) return std::unexpected(conf.error());
  pipeline_ = std::move(conf->pipeline);
  text_ = std::move(text);
  return Change{true, fmt::format("{}", fmt::join(conf->warnings, "; "))};
}

Result<ConfReload::Change> ConfReload::Load(bool must_be_good) {
  if (path_.empty()) return Adopt(std::string(DefaultConfText()), "built-in conf");
  stamp_ = StampOf();
  Result<std::string> read = ReadText(path_);
  Result<Change> change = read ? Adopt(*read, path_) : std::unexpected(read.error());
  if (read) seen_ = std::move(*read);
  if (change || must_be_good) return change;
  const std::string why = change.error().message;
  const Result<Change> built_in = Adopt(std::string(DefaultConfText()), "built-in conf");
  if (!built_in) return built_in;
  return Change{false, why};
}

std::optional<ConfReload::Change> ConfReload::Look() {
  const auto stamp = StampOf();
  if (stamp == stamp_) return std::nullopt;
  stamp_ = stamp;
  Result<std::string> read = ReadText(path_);
  if (!read) return Change{false, read.error().message};
  if (*read == seen_) return std::nullopt;
  seen_ = *read;
  if (seen_ == text_) return std::nullopt;
  Result<Change> change = Adopt(std::move(*read), path_);
  if (change) return *change;
  return Change{false, change.error().message};
}

}  // namespace batholith
