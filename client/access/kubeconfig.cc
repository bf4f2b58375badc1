#include "client/access/kubeconfig.h"

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <optional>

#include "client/access/address.h"
#include "client/access/base64.h"
#include "codec/json/field.h"
#include "codec/load.h"
#include "codec/yaml.h"

namespace batholith {
namespace {

struct File {
  std::string path;
  boost::json::value content;
};

// A field of one of the files. Paths in it are relative to that file.
struct Entry {
  const File* file;
  Field field;

  Entry operator[](std::string_view name) const { return {file, field[name]}; }
  [[noreturn]] void Fail(const std::string& reason) const {
    throw FieldError(file->path + ": " + field.path(), reason);
  }
};

// A Field's own complaint, with the file before it.
template <typename Read>
auto InFile(const File& file, Read read) {
  try {
    return read();
  } catch (const FieldError& e) {
    if (std::string_view(e.what()).starts_with(file.path)) throw;
    throw FieldError(file.path, e.what());
  }
}

std::string Resolve(const Entry& entry, const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  return (std::filesystem::absolute(entry.file->path).parent_path() / path).lexically_normal();
}

std::string Bytes(const Entry& entry) {
  const std::string text = entry.field.Text();
  std::optional<std::string> bytes = DecodeBase64(text);
  if (!bytes) entry.Fail("must be base64");
  return *std::move(bytes);
}

// The content of the first entry with this name in lists of {name, `inner`: {...}}.
std::optional<Entry> Find(const std::vector<File>& files, std::string_view list,
                          std::string_view inner, const std::string& name) {
  for (const File& file : files) {
    std::optional<Entry> found = InFile(file, [&]() -> std::optional<Entry> {
      for (const Field& item : Field(&file.content, "")[list].Items()) {
        if (item["name"].TextOrNumber() == name) return Entry{&file, item[inner]};
      }
      return std::nullopt;
    });
    if (found) return found;
  }
  return std::nullopt;
}

ExecPlugin ReadExec(const Entry& exec) {
  ExecPlugin plugin;
  plugin.api_version = exec["apiVersion"].field.Text();
  constexpr std::string_view kGroup = "client.authentication.k8s.io/";
  if (plugin.api_version != std::string(kGroup) + "v1" &&
      plugin.api_version != std::string(kGroup) + "v1beta1")
    exec["apiVersion"].Fail("must be client.authentication.k8s.io/v1 or v1beta1");
  plugin.command = exec["command"].field.Text();
  if (plugin.command.empty()) exec["command"].Fail("is missing");
  if (plugin.command.contains('/')) plugin.command = Resolve(exec, plugin.command);
  plugin.arguments = exec["args"].field.Texts();
  for (const Field& item : exec["env"].field.Items())
    plugin.environment[item["name"].Text()] = item["value"].TextOrNumber();
  plugin.provide_cluster_info = exec["provideClusterInfo"].field.Bool(false);
  plugin.install_hint = exec["installHint"].field.Text();
  if (exec["interactiveMode"].field.Text() == "Always")
    exec["interactiveMode"].Fail("Always is not supported: nobody may be there to answer");
  return plugin;
}

void ReadCluster(const Entry& cluster, ClusterAccess& access) {
  access.server = cluster["server"].field.Text();
  access.ca_pem = Bytes(cluster["certificate-authority-data"]);
  access.ca_file = Resolve(cluster, cluster["certificate-authority"].field.Text());
  access.skip_tls_verify = cluster["insecure-skip-tls-verify"].field.Bool(false);
  access.tls_server_name = cluster["tls-server-name"].field.Text();
  access.proxy_url = cluster["proxy-url"].field.Text();
  if (!access.proxy_url.empty()) {
    const Result<Address> proxy =
        ParseAddress(access.proxy_url, {"http", "https", "socks5", "socks5h"});
    if (!proxy) cluster["proxy-url"].Fail(proxy.error().message);
  }
  if (access.skip_tls_verify && !(access.ca_pem.empty() && access.ca_file.empty()))
    cluster["insecure-skip-tls-verify"].Fail("cannot stand beside a certificate authority");
}

void ReadUser(const Entry& user, ClusterAccess& access) {
  access.cert_pem = Bytes(user["client-certificate-data"]);
  access.cert_file = Resolve(user, user["client-certificate"].field.Text());
  access.key_pem = Bytes(user["client-key-data"]);
  access.key_file = Resolve(user, user["client-key"].field.Text());
  access.token = user["token"].field.Text();
  access.token_file = Resolve(user, user["tokenFile"].field.Text());
  access.username = user["username"].field.TextOrNumber();
  access.password = user["password"].field.TextOrNumber();
  if (user["exec"].field.present()) access.exec = ReadExec(user["exec"]);
  if (user["auth-provider"].field.present())
    user["auth-provider"].Fail("Kubernetes has removed it; use exec");
  access.as_user = user["as"].field.Text();
  access.as_uid = user["as-uid"].field.Text();
  access.as_groups = user["as-groups"].field.Texts();
  for (const auto& [key, values] : user["as-user-extra"].field.Entries())
    access.as_extra[key] = values.Texts();
  const bool has_cert = !(access.cert_pem.empty() && access.cert_file.empty());
  const bool has_key = !(access.key_pem.empty() && access.key_file.empty());
  if (has_cert != has_key)
    user[has_cert ? "client-key" : "client-certificate"].Fail("is missing beside its other half");
}

std::string CurrentContext(const std::vector<File>& files) {
  for (const File& file : files) {
    std::string name =
        InFile(file, [&] { return Field(&file.content, "")["current-context"].TextOrNumber(); });
    if (!name.empty()) return name;
  }
  return "";
}

// REQUIRES: the context is there. Throws FieldError.
ClusterAccess ReadContext(const std::vector<File>& files, const Entry& context,
                          const std::string& name) {
  ClusterAccess access;
  access.origin = "context " + name + " of " + context.file->path;
  std::string cluster_name;
  std::string user_name;
  InFile(*context.file, [&] {
    cluster_name = context["cluster"].field.TextOrNumber();
    user_name = context["user"].field.TextOrNumber();
    access.namespace_ = context["namespace"].field.TextOrNumber();
  });
  if (access.namespace_.empty()) access.namespace_ = "default";
  const std::optional<Entry> cluster = Find(files, "clusters", "cluster", cluster_name);
  if (!cluster) context["cluster"].Fail("there is no cluster \"" + cluster_name + "\"");
  InFile(*cluster->file, [&] { ReadCluster(*cluster, access); });
  if (user_name.empty()) return access;
  const std::optional<Entry> user = Find(files, "users", "user", user_name);
  if (!user) context["user"].Fail("there is no user \"" + user_name + "\"");
  InFile(*user->file, [&] { ReadUser(*user, access); });
  return access;
}

Error NothingNamed(const std::vector<std::string>& paths, const std::vector<File>& files) {
  std::string message;
  for (const std::string& path : paths) {
    const bool there = std::ranges::find(files, path, &File::path) != files.end();
    message += (message.empty() ? "" : "; ") + path;
    message += there ? " has no current-context" : " is not there";
  }
  return {ErrorCode::kNotFound, message.empty() ? "no kubeconfig is named" : message};
}

// Where a text is broken, and nothing of what stands there: that may be a token.
Error Broken(const std::string& path, const std::string& message) {
  const std::string line = path + ": line ";
  const std::size_t end = message.starts_with(line) ? message.find(':', line.size()) : 0;
  const std::string where = end == 0 ? path : message.substr(0, end);
  return {ErrorCode::kInvalid,
          where + ": is not YAML that can be read (not shown: it may be secret)"};
}

Result<std::vector<File>> ReadFiles(const std::vector<std::string>& paths) {
  std::vector<File> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    Result<std::string> text = ReadText(path);
    if (!text) return std::unexpected(text.error());
    Result<std::vector<boost::json::value>> documents = ParseDocuments(*text, path);
    if (!documents) return std::unexpected(Broken(path, documents.error().message));
    if (documents->size() > 1) return Invalid(path + ": must be one document");
    if (documents->empty()) documents->emplace_back();
    files.push_back({path, std::move(documents->front())});
  }
  return files;
}

}  // namespace

Result<ClusterAccess> LoadKubeconfig(const std::vector<std::string>& paths,
                                     const std::string& context) {
  Result<std::vector<File>> files = ReadFiles(paths);
  if (!files) return std::unexpected(files.error());
  try {
    const std::string name = context.empty() ? CurrentContext(*files) : context;
    if (name.empty()) return std::unexpected(NothingNamed(paths, *files));
    const std::optional<Entry> entry = Find(*files, "contexts", "context", name);
    std::string all;
    for (const std::string& path : paths) all += (all.empty() ? "" : ", ") + path;
    if (!entry) return Invalid(all + ": contexts: there is no \"" + Printable(name) + "\"");
    return ReadContext(*files, *entry, name);
  } catch (const FieldError& e) {
    return Invalid(e.what());
  }
}

}  // namespace batholith
