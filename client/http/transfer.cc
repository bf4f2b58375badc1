#include "client/http/transfer.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "api/check.h"
#include "api/printable.h"
#include "api/url_text.h"
#include "client/access/address.h"
#include "client/http/escape.h"

namespace batholith {
namespace {

constexpr long kReceiveBuffer = 256 * 1024;
constexpr long kKeepAliveSeconds = 30;
constexpr long kKeepAliveEverySeconds = 10;
constexpr unsigned kUnacknowledgedMs = 45'000;
constexpr long kCaCacheSeconds = 60;  // a CA's file that was replaced counts after a minute

// What was sent and not acknowledged, keep-alive probes too, ends the connection after a while;
// the system's own patience is a quarter of an hour.
int SetSocket(void*, curl_socket_t socket, curlsocktype) {
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnacknowledgedMs, sizeof(kUnacknowledgedMs));
  return CURL_SOCKOPT_OK;
}

template <typename T>
void Set(CURL* handle, CURLoption option, T value) {
  CHECK(curl_easy_setopt(handle, option, value) == CURLE_OK);
}

void SetText(CURL* handle, CURLoption option, const std::string& value) {
  if (!value.empty()) Set(handle, option, value.c_str());
}

// Bytes that stay where they are for as long as the handle.
void SetBlob(CURL* handle, CURLoption option, const std::string& bytes) {
  curl_blob blob{const_cast<char*>(bytes.data()), bytes.size(), CURL_BLOB_NOCOPY};
  Set(handle, option, &blob);
}

struct UrlParts {
  std::string host, port;
};

UrlParts PartsOf(const std::string& server) {
  UrlParts parts;
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), &curl_url_cleanup);
  const auto get = [&url](CURLUPart part, unsigned flags) {
    char* text = nullptr;
    if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return std::string();
    std::string out = text;
    curl_free(text);
    return out;
  };
  if (curl_url_set(url.get(), CURLUPART_URL, server.c_str(), 0) != CURLUE_OK) return parts;
  parts.host = get(CURLUPART_HOST, 0);
  parts.port = get(CURLUPART_PORT, CURLU_DEFAULT_PORT);
  return parts;
}

}  // namespace

Transfer::Transfer(const ClusterAccess& access, const HttpOptions& options,
                   const HttpRequest& request, std::shared_ptr<const Credential> credential,
                   Hooks hooks)
    : access_(access),
      request_(request),
      credential_(std::move(credential)),
      hooks_(std::move(hooks)),
      handle_(curl_easy_init()) {
  CHECK(handle_ != nullptr);
  Set(handle_, CURLOPT_ERRORBUFFER, error_);
  Set(handle_, CURLOPT_NOSIGNAL, 1L);
  Set(handle_, CURLOPT_QUICK_EXIT, 1L);  // a name that is being looked up holds nobody up
  Set(handle_, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  // Only the handshake of TLS tells at once whether there is HTTP/2; else the first answer does,
  // and that may take its time.
  Set(handle_, CURLOPT_PIPEWAIT, access_.server.starts_with("https:") ? 1L : 0L);
  Set(handle_, CURLOPT_TCP_KEEPALIVE, 1L);
  Set(handle_, CURLOPT_TCP_KEEPIDLE, kKeepAliveSeconds);
  Set(handle_, CURLOPT_TCP_KEEPINTVL, kKeepAliveEverySeconds);
  Set(handle_, CURLOPT_SOCKOPTFUNCTION, &SetSocket);
  Set(handle_, CURLOPT_BUFFERSIZE, kReceiveBuffer);
  Set(handle_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  Set(handle_, CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
  Set(handle_, CURLOPT_HEADERDATA, this);
  Set(handle_, CURLOPT_WRITEFUNCTION, &Transfer::OnBody);
  Set(handle_, CURLOPT_WRITEDATA, this);
  SetText(handle_, CURLOPT_USERAGENT, options.user_agent);
  SetProxy();
  if (options.compress) Set(handle_, CURLOPT_ACCEPT_ENCODING, "gzip");
  SetTarget();
  SetMethod();
  SetTls();
  SetHeaders();
}

Transfer::~Transfer() {
  curl_easy_cleanup(handle_);
  curl_slist_free_all(headers_);
  curl_slist_free_all(connect_to_);
}

// curl takes the name that it verifies from the address, so another name to verify goes into the
// address, and the real host becomes where to connect to.
void Transfer::SetTarget() {
  std::string server = access_.server;
  if (!access_.tls_server_name.empty()) {
    const UrlParts parts = PartsOf(server);
    const std::size_t host_begin = server.find("://") + 3;
    const std::size_t path_begin = std::min(server.find('/', host_begin), server.size());
    AddHeader("Host: " + server.substr(host_begin, path_begin - host_begin));
    const std::string name = access_.tls_server_name + ":" + parts.port;
    connect_to_ = curl_slist_append(nullptr, (name + ":" + parts.host + ":" + parts.port).c_str());
    Set(handle_, CURLOPT_CONNECT_TO, connect_to_);
    server.replace(host_begin, path_begin - host_begin, name);
  }
  SetText(handle_, CURLOPT_URL, server + request_.path);
  Set(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(handle_, CURLOPT_PATH_AS_IS, 1L);
}

// curl repeats the address of a proxy that it does not like; so it is told the password beside it.
void Transfer::SetProxy() {
  if (access_.proxy_url.empty()) return;
  const Result<Address> proxy =
      ParseAddress(access_.proxy_url, {"http", "https", "socks5", "socks5h"});
  CHECK(proxy);  // it was read from a kubeconfig
  SetText(handle_, CURLOPT_PROXY, proxy->url);
  if (!proxy->user) return;
  Set(handle_, CURLOPT_PROXYUSERNAME, proxy->user->name.c_str());
  Set(handle_, CURLOPT_PROXYPASSWORD, proxy->user->password.c_str());
}

// The body is read through a function that cannot rewind: curl would otherwise send a request again
// by itself where a connection that was kept turns out to be closed, and nobody would know whether
// the first one was done.
void Transfer::SetMethod() {
  if (request_.method != "GET") Set(handle_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  const bool has_body =
      !request_.body.empty() || request_.method == "POST" || request_.method == "PUT";
  if (!has_body) return;
  Set(handle_, CURLOPT_POST, 1L);
  Set(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  Set(handle_, CURLOPT_READFUNCTION, &Transfer::OnRead);
  Set(handle_, CURLOPT_READDATA, this);
  AddHeader("Expect:");  // no waiting for leave to send a large body
  AddHeader("Content-Type: " +
            (request_.content_type.empty() ? "application/json" : request_.content_type));
}

void Transfer::SetHeaders() {
  if (!request_.accept.empty()) AddHeader("Accept: " + request_.accept);
  if (!credential_->authorization.empty())
    AddHeader("Authorization: " + credential_->authorization);
  if (!access_.as_user.empty()) AddHeader("Impersonate-User: " + access_.as_user);
  if (!access_.as_uid.empty()) AddHeader("Impersonate-Uid: " + access_.as_uid);
  for (const std::string& group : access_.as_groups) AddHeader("Impersonate-Group: " + group);
  for (const auto& [key, values] : access_.as_extra) {
    for (const std::string& value : values)
      AddHeader("Impersonate-Extra-" + Escape(key) + ": " + value);
  }
  Set(handle_, CURLOPT_HTTPHEADER, headers_);
}

void Transfer::SetTls() {
  if (access_.skip_tls_verify) {
    Set(handle_, CURLOPT_SSL_VERIFYPEER, 0L);
    Set(handle_, CURLOPT_SSL_VERIFYHOST, 0L);
  }
  if (!access_.ca_pem.empty() || !access_.ca_file.empty()) {
    // Nobody else may vouch for the server than the CA that was named.
    Set(handle_, CURLOPT_CAPATH, static_cast<char*>(nullptr));
    Set(handle_, CURLOPT_CAINFO, static_cast<char*>(nullptr));
    if (!access_.ca_pem.empty()) {
      SetBlob(handle_, CURLOPT_CAINFO_BLOB, access_.ca_pem);
    } else {
      SetText(handle_, CURLOPT_CAINFO, access_.ca_file);
      Set(handle_, CURLOPT_CA_CACHE_TIMEOUT, kCaCacheSeconds);
    }
  }
  if (!credential_->cert_pem.empty()) {
    SetBlob(handle_, CURLOPT_SSLCERT_BLOB, credential_->cert_pem);
    SetBlob(handle_, CURLOPT_SSLKEY_BLOB, credential_->key_pem);
    return;
  }
  if (!access_.cert_pem.empty()) {
    SetBlob(handle_, CURLOPT_SSLCERT_BLOB, access_.cert_pem);
  } else {
    SetText(handle_, CURLOPT_SSLCERT, access_.cert_file);
  }
  if (!access_.key_pem.empty()) {
    SetBlob(handle_, CURLOPT_SSLKEY_BLOB, access_.key_pem);
  } else {
    SetText(handle_, CURLOPT_SSLKEY, access_.key_file);
  }
}

// A line break in a token or a group would begin another header.
void Transfer::AddHeader(const std::string& line) {
  std::string clean = line;
  std::erase_if(clean, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
  curl_slist* const longer = curl_slist_append(headers_, clean.c_str());
  CHECK(longer != nullptr);
  headers_ = longer;
}

bool Transfer::sent() const {
  long bytes = 0;
  curl_easy_getinfo(handle_, CURLINFO_REQUEST_SIZE, &bytes);
  return bytes > 0;
}

bool Transfer::is_http2() const {
  long version = 0;
  curl_easy_getinfo(handle_, CURLINFO_HTTP_VERSION, &version);
  return version == CURL_HTTP_VERSION_2_0;
}

std::string Transfer::Describe(CURLcode code) const {
  std::string text = error_[0] != '\0' ? error_ : curl_easy_strerror(code);
  while (text.ends_with('\n') || text.ends_with('.')) text.pop_back();
  // It repeats a bad address of a proxy from the environment, with the password and in quotes.
  const std::size_t quote = text.find('\'');
  const std::size_t last = text.rfind('\'');
  if (text.contains("proxy") && quote < last)
    text.replace(quote + 1, last - quote - 1,
                 UrlForPeople(text.substr(quote + 1, last - quote - 1)));
  return OneLine(WithoutUrlSecrets(text));
}

std::size_t Transfer::OnHeader(char* data, std::size_t size, std::size_t count, void* self) {
  const std::size_t bytes = size * count;
  return static_cast<Transfer*>(self)->ReadHeader({data, bytes}) ? bytes : 0;
}

bool Transfer::ReadHeader(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    reply_ = HttpReply();
    begun_ = false;
    return true;
  }
  if (line.empty()) {
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &reply_.status);
    curl_off_t wait = 0;
    curl_easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &wait);
    if (wait > 0) reply_.retry_after = std::chrono::seconds(wait);
    const bool is_interim = reply_.status < 200;
    return is_interim || std::exchange(begun_, true) || hooks_.on_begin();
  }
  constexpr std::string_view kContentType = "content-type:";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (line.size() > kContentType.size() &&
      std::ranges::equal(line.substr(0, kContentType.size()), kContentType, same)) {
    line.remove_prefix(kContentType.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    reply_.content_type = line;
  }
  return true;
}

std::size_t Transfer::OnBody(char* data, std::size_t size, std::size_t count, void* self) {
  const std::size_t bytes = size * count;
  return static_cast<Transfer*>(self)->hooks_.on_data({data, bytes}) ? bytes : 0;
}

std::size_t Transfer::OnRead(char* buffer, std::size_t size, std::size_t count, void* self) {
  auto* const transfer = static_cast<Transfer*>(self);
  const std::string& body = transfer->request_.body;
  const std::size_t n = std::min(size * count, body.size() - transfer->body_sent_);
  std::copy_n(body.data() + transfer->body_sent_, n, buffer);
  transfer->body_sent_ += n;
  return n;
}

}  // namespace batholith
