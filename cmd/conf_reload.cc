#include "cmd/conf_reload.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <thread>
#include <utility>

#include "conf/default_conf.h"

namespace batholith {

// Device, inode, time of the last change and size: whatever replaces or edits a file changes one.
std::optional<ConfReload::Stamp> ConfReload::StampOf() const {
  struct stat s{};
  if (path_.empty() || stat(path_.c_str(), &s) != 0) return std::nullopt;
  return Stamp{s.st_dev, s.st_ino,
               s.st_mtim.tv_sec * std::int64_t{1'000'000'000} + s.st_mtim.tv_nsec,
               static_cast<std::uintmax_t>(s.st_size)};
}

// A thread that hangs in a file is left behind: it holds nothing of this.
ConfReload::~ConfReload() {
  if (reading_) reading_->judged.wait_for(std::chrono::seconds(1));
}

ConfReload::Judged ConfReload::Judge(const ReadFile& read, const std::string& path) {
  Judged out{.text = read(path), .conf = std::nullopt};
  if (out.text) out.conf = CompileConf(*out.text, path, MissingParts::kLeftOut);
  return out;
}

ConfReload::Change ConfReload::Adopt(CompiledConf conf, std::string text) {
  pipeline_ = std::move(conf.pipeline);
  text_ = std::move(text);
  left_out_ = std::move(conf.left_out);
  return {true, fmt::format("{}", fmt::join(conf.warnings, "; "))};
}

Result<ConfReload::Change> ConfReload::AdoptBuiltIn() {
  Result<CompiledConf> conf = CompileConf(DefaultConfText(), "built-in conf");
  if (!conf) return std::unexpected(conf.error());
  return Adopt(*std::move(conf), std::string(DefaultConfText()));
}

Result<ConfReload::Change> ConfReload::Load(bool must_be_good) {
  if (path_.empty()) return AdoptBuiltIn();
  stamp_ = StampOf();
  Judged judged = Judge(read_, path_);
  if (judged.text) seen_ = *judged.text;
  if (judged.conf && *judged.conf) return Adopt(**std::move(judged.conf), *std::move(judged.text));
  const Error why = judged.conf ? judged.conf->error() : judged.text.error();
  if (must_be_good) return std::unexpected(why);
  const Result<Change> built_in = AdoptBuiltIn();
  if (!built_in) return built_in;
  return Change{false, why.message};
}

void ConfReload::Start() {
  std::packaged_task<Judged()> task([read = read_, path = path_] { return Judge(read, path); });
  reading_ = Reading{.judged = task.get_future(), .since = std::chrono::steady_clock::now()};
  std::thread(std::move(task)).detach();
}

std::optional<ConfReload::Change> ConfReload::Look() {
  if (!reading_) {
    const auto stamp = StampOf();
    if (stamp == stamp_) return std::nullopt;
    stamp_ = stamp;
    Start();
    return std::nullopt;
  }
  if (reading_->judged.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    const bool given_up = reading_->given_up;
    Judged judged = reading_->judged.get();
    reading_.reset();
    return given_up ? std::nullopt : Take(std::move(judged));
  }
  if (reading_->given_up || std::chrono::steady_clock::now() - reading_->since < patience_)
    return std::nullopt;
  reading_->given_up = true;
  return Change{false, fmt::format("{}: takes longer than {} to read and is given up", path_,
                                   std::chrono::duration_cast<std::chrono::seconds>(patience_))};
}

std::optional<ConfReload::Change> ConfReload::Take(Judged judged) {
  if (!judged.text) return Change{false, judged.text.error().message};
  if (*judged.text == seen_) return std::nullopt;
  seen_ = *judged.text;
  if (seen_ == text_) return std::nullopt;
  if (!*judged.conf) return Change{false, judged.conf->error().message};
  return Adopt(**std::move(judged.conf), *std::move(judged.text));
}

}  // namespace batholith
