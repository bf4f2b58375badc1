#include "client/access/credentials.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "client/access/base64.h"
#include "codec/load.h"

namespace batholith {
namespace {

constexpr std::chrono::seconds kReadAgain{60};
// A credential that is about to expire would expire on its way.
constexpr std::chrono::seconds kBeforeExpiry{10};
constexpr std::chrono::seconds kLeastUse{1};

std::shared_ptr<const Credential> Bearer(const std::string& token) {
  return std::make_shared<const Credential>(Credential{"Bearer " + token, "", ""});
}

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Another text where the file may have another content; empty where there is none.
std::string StampOf(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return "";
  return std::to_string(file.st_ino) + " " + std::to_string(file.st_size) + " " +
         std::to_string(file.st_mtim.tv_sec) + " " + std::to_string(file.st_mtim.tv_nsec);
}

std::shared_ptr<const Credential> Fixed(const ClusterAccess& access) {
  if (!access.token.empty()) return Bearer(access.token);
  if (access.username.empty()) return std::make_shared<const Credential>();
  return std::make_shared<const Credential>(
      Credential{"Basic " + EncodeBase64(access.username + ":" + access.password), "", ""});
}

}  // namespace

Credentials::Credentials(const ClusterAccess& access) : access_(access) {
  const bool token_comes = access_.token_file.empty() || !access_.token.empty();
  if (!uses_plugin() && token_comes) current_ = Fixed(access_);
}

bool Credentials::uses_plugin() const {
  return access_.exec && access_.token.empty() && access_.token_file.empty() &&
         access_.username.empty();
}

Result<std::shared_ptr<const Credential>> Credentials::Current(TimePoint now) {
  if (!access_.token_file.empty()) {
    ReadTokenFile(now);
    if (current_ == nullptr) {
      return std::unexpected(
          Error{ErrorCode::kUnavailable, "token " + access_.token_file + ": cannot be read"});
    }
  }
  if (uses_plugin() && now >= expires_) current_ = nullptr;
  return current_;
}

void Credentials::ReadTokenFile(TimePoint now) {
  std::string stamp = StampOf(access_.token_file);
  const bool is_fresh = now >= read_at_ && now - read_at_ < kReadAgain;
  if (stamp == file_stamp_ && is_fresh) return;
  const Result<std::string> text = ReadText(access_.token_file);
  const std::string token = text ? Trimmed(*text) : "";
  // While a volume is being rewritten there may be no file: the old token still holds then.
  if (token.empty()) return;
  file_stamp_ = std::move(stamp);
  read_at_ = now;
  if (current_ == nullptr || current_->authorization != "Bearer " + token) current_ = Bearer(token);
}

void Credentials::Store(ExecCredential fetched, TimePoint now) {
  current_ = std::make_shared<const Credential>(
      Credential{fetched.token.empty() ? "" : "Bearer " + fetched.token,
                 std::move(fetched.cert_pem), std::move(fetched.key_pem)});
  expires_ = fetched.expires ? std::max(*fetched.expires - kBeforeExpiry, now + kLeastUse)
                             : TimePoint::max();
}

bool Credentials::Refused(const std::shared_ptr<const Credential>& used, TimePoint now) {
  if (!renewable()) return false;
  if (!access_.token_file.empty()) {
    read_at_ = TimePoint();
    ReadTokenFile(now);
  } else if (current_ == used) {
    current_ = nullptr;
  }
  return current_ != used;
}

}  // namespace batholith
