// How the API server is found: kubeconfigs, their merging, and the service account of a pod.
#include "client/access/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "client/access/in_cluster.h"
#include "client/access/kubeconfig.h"
#include "test/client/client_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Sets a variable of the environment, or takes it away, until the end of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    Set(value);
  }
  ~Variable() { Set(old_ ? old_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void Set(const char* value) {
    if (value == nullptr) {
      unsetenv(name_);
    } else {
      setenv(name_, value, 1);
    }
  }

  const char* name_;
  std::optional<std::string> old_;
};

constexpr char kProd[] = R"(
apiVersion: v1
kind: Config
current-context: prod
clusters:
- {name: c1, cluster: {server: "https://one:6443/", certificate-authority: pki/ca.crt, tls-server-name: api, proxy-url: "http://p:1"}}
users:
- {name: u1, user: {client-certificate-data: Y2VydA==, client-key: ../key.pem}}
contexts:
- {name: prod, context: {cluster: c1, user: u1, namespace: team}}
- {name: far, context: {cluster: c2, user: u2}}
)";

constexpr char kMore[] = R"(
current-context: other
clusters:
- {name: c1, cluster: {server: "https://not-this"}}
- {name: c2, cluster: {server: "http://two", insecure-skip-tls-verify: true}}
users:
- name: u2
  user:
    token: t0
    tokenFile: /abs/token
    username: joe
    password: 1234
    as: jane
    as-uid: "7"
    as-groups: [g1, g2]
    as-user-extra: {scope: [a, b]}
- name: u3
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--fast]
      env: [{name: A, value: b}]
      provideClusterInfo: true
      installHint: get it there
      interactiveMode: IfAvailable
contexts:
- {name: plugin, context: {cluster: c2, user: u3}}
- {name: nobody, context: {cluster: c2}}
)";

class Kubeconfig : public ::testing::Test {
 protected:
  Result<ClusterAccess> Load(const std::string& context) const {
    return LoadKubeconfig({folder_.Path("not-there"), prod_, more_}, context);
  }

  const TestFolder folder_;
  const std::string prod_ = folder_.Write("prod", kProd);
  const std::string more_ = folder_.Write("more", kMore);
};

TEST_F(Kubeconfig, the_first_file_decides_and_paths_are_relative_to_their_file) {
  const Result<ClusterAccess> access = Load("");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://one:6443/");
  EXPECT_EQ(access->ca_file, folder_.Path("pki/ca.crt"));
  EXPECT_EQ(access->cert_pem, "cert");
  EXPECT_EQ(access->key_file,
            std::filesystem::path(folder_.Path("")).parent_path().parent_path() / "key.pem");
  EXPECT_EQ(access->tls_server_name, "api");
  EXPECT_EQ(access->proxy_url, "http://p:1");
  EXPECT_EQ(access->namespace_, "team");
  EXPECT_EQ(access->origin, "context prod of " + prod_);
}

TEST_F(Kubeconfig, a_context_joins_entries_of_several_files) {
  const Result<ClusterAccess> access = Load("far");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "http://two");
  EXPECT_TRUE(access->skip_tls_verify);
  EXPECT_EQ(access->token, "t0");
  EXPECT_EQ(access->token_file, "/abs/token");
  EXPECT_EQ(access->username + ":" + access->password, "joe:1234");
  EXPECT_EQ(access->as_user + access->as_uid, "jane7");
  EXPECT_THAT(access->as_groups, ElementsAre("g1", "g2"));
  EXPECT_THAT(access->as_extra.at("scope"), ElementsAre("a", "b"));
  EXPECT_EQ(access->namespace_, "default");
}

TEST_F(Kubeconfig, a_plugin_is_read_whole) {
  const Result<ClusterAccess> access = Load("plugin");
  ASSERT_TRUE(access && access->exec) << access.error().message;
  const ExecPlugin& plugin = *access->exec;
  EXPECT_EQ(plugin.api_version, "client.authentication.k8s.io/v1");
  EXPECT_EQ(plugin.command, folder_.Path("bin/login"));
  EXPECT_THAT(plugin.arguments, ElementsAre("--fast"));
  EXPECT_EQ(plugin.environment.at("A"), "b");
  EXPECT_TRUE(plugin.provide_cluster_info);
  EXPECT_EQ(plugin.install_hint, "get it there");
}

TEST_F(Kubeconfig, a_context_may_name_no_user) {
  const Result<ClusterAccess> access = Load("nobody");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->token, "");
}

struct Fault {
  std::string name;
  std::string cluster;  // of the cluster's entry, flow style
  std::string user;
  std::string message;  // after the file
};

class KubeconfigFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(KubeconfigFaults, name_file_and_field) {
  const TestFolder folder;
  const std::string file = folder.Write(
      "config", "current-context: x\nclusters: [{name: c, cluster: " + GetParam().cluster +
                    "}]\nusers: [{name: u, user: " + GetParam().user +
                    "}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n");
  const Result<ClusterAccess> access = LoadKubeconfig({file}, "");
  ASSERT_FALSE(access);
  EXPECT_EQ(access.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(access.error().message, file + ": " + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Table, KubeconfigFaults,
    ::testing::Values(
        Fault{"server_list", "{server: []}", "{}",
              "clusters[0].cluster.server: must be a text, not a list"},
        Fault{"ca_base64", "{certificate-authority-data: '%%'}", "{}",
              "clusters[0].cluster.certificate-authority-data: must be base64"},
        Fault{"skip_and_ca", "{insecure-skip-tls-verify: true, certificate-authority: a}", "{}",
              "clusters[0].cluster.insecure-skip-tls-verify: cannot stand beside a certificate "
              "authority"},
        Fault{"proxy_scheme", "{proxy-url: 'u:secret@p:1'}", "{}",
              "clusters[0].cluster.proxy-url: must begin with http://, https://, socks5:// or "
              "socks5h://"},
        Fault{"proxy_port", "{proxy-url: 'http://u:sec/ret@p'}", "{}",
              "clusters[0].cluster.proxy-url: has no host, or a port that is not a number; escape "
              "/ ? "
              "# in a password"},
        Fault{"cert_without_key", "{}", "{client-certificate: a}",
              "users[0].user.client-key: is missing beside its other half"},
        Fault{"key_base64", "{}", "{client-key-data: abc}",
              "users[0].user.client-key-data: must be base64"},
        Fault{"auth_provider", "{}", "{auth-provider: {name: gcp}}",
              "users[0].user.auth-provider: Kubernetes has removed it; use exec"},
        Fault{"exec_version", "{}", "{exec: {apiVersion: v0, command: c}}",
              "users[0].user.exec.apiVersion: must be client.authentication.k8s.io/v1 or v1beta1"},
        Fault{"exec_command", "{}", "{exec: {apiVersion: client.authentication.k8s.io/v1}}",
              "users[0].user.exec.command: is missing"},
        Fault{"groups", "{}", "{as-groups: {}}",
              "users[0].user.as-groups: must be a list, not an object"}),
    [](const auto& one) { return one.param.name; });

TEST(KubeconfigText, what_a_context_names_must_be_there) {
  const TestFolder folder;
  const std::string file =
      folder.Write("config", "contexts: [{name: x, context: {cluster: c}}, {name: y, context: 7}]");
  EXPECT_EQ(LoadKubeconfig({file}, "x").error().message,
            file + ": contexts[0].context.cluster: there is no cluster \"c\"");
  EXPECT_EQ(LoadKubeconfig({file}, "y").error().message,
            file + ": contexts[1].context: must be an object, not a number");
  EXPECT_EQ(LoadKubeconfig({file}, "z").error().message, file + ": contexts: there is no \"z\"");
  EXPECT_EQ(LoadKubeconfig({file}, "").error().code, ErrorCode::kNotFound);
  EXPECT_THAT(LoadKubeconfig({folder.Write("broken", "a: [")}, "").error().message,
              HasSubstr("broken: line 2: "));
}

TEST(Access, the_variable_is_a_list_and_master_replaces_the_server) {
  const TestFolder folder;
  const std::string list =
      folder.Path("gone") + ":" + folder.Write("b", kProd) + "::" + folder.Write("c", kMore);
  const Variable variable("KUBECONFIG", list.c_str());
  EXPECT_EQ(LoadAccess({})->server, "https://one:6443");
  EXPECT_EQ(LoadAccess({.kubeconfig = "", .master = "", .context = "far"})->server, "http://two");
  EXPECT_EQ(LoadAccess({.kubeconfig = "", .master = "https://m/x/", .context = ""})->server,
            "https://m/x");
  EXPECT_EQ(
      LoadAccess({.kubeconfig = folder.Path("c"), .master = "", .context = "far"}).error().message,
      folder.Path("c") + ": contexts: there is no \"far\"");
  EXPECT_EQ(LoadAccess({.kubeconfig = "", .master = "m:80", .context = ""}).error().message,
            "--master: \"m:80\" must begin with https:// or http://");
}

// As kubectl does: basic authentication that comes before a token and a plugin; no query.
TEST(Access, a_user_in_the_address_goes_into_the_request_and_out_of_the_address) {
  const TestFolder folder;
  const std::string file = folder.Write(
      "config",
      "{current-context: x, clusters: [{name: c, cluster: {server: "
      "'https://jo%40x:p%2Fw:@h:1/a/?t=secret#f'}}], users: [{name: u, user: {token: t}}], "
      "contexts: [{name: x, context: {cluster: c, user: u}}]}");
  const Result<ClusterAccess> access =
      LoadAccess({.kubeconfig = file, .master = "", .context = ""});
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://h:1/a");
  EXPECT_EQ(access->username + " " + access->password, "jo@x p/w:");
  EXPECT_EQ(access->token, "");
}

TEST(Access, an_address_that_is_none_is_named_without_its_password) {
  const auto message = [](const std::string& master) {
    const Result<ClusterAccess> access =
        LoadAccess({.kubeconfig = "", .master = master, .context = ""});
    return access ? access->server : access.error().message;
  };
  const Variable variable("KUBECONFIG", "/none");
  const Variable home("HOME", "");
  const Variable host("KUBERNETES_SERVICE_HOST", "");
  const std::string no_host =
      " has no host, or a port that is not a number; escape / ? # in a password";
  const std::vector<std::pair<std::string, std::string>> rows{
      {"u:secret@h", "--master: \"***@h\" must begin with https:// or http://"},
      {"ftp://u:secret@h", "--master: \"ftp://***@h\" must begin with https:// or http://"},
      {"https://u:sec/ret@h", "--master: \"https://***@h\"" + no_host},
      {"https://u:secret@", "--master: \"https://***@\"" + no_host},
      {"https://h:secret", "--master: \"https://h:secret\"" + no_host},
      {"https://u:se%xret@h", "--master: \"https://***@h\" has a user with a bad %-escape"},
      {"https://[::1]:6443/", "https://[::1]:6443"},
      {"http://h", "http://h"},
  };
  for (const auto& [master, expected] : rows) EXPECT_EQ(message(master), expected);
}

// What stands in the broken line may be a token.
TEST(KubeconfigText, a_broken_file_is_not_repeated) {
  const TestFolder folder;
  for (const std::string text :
       {"users: [{name: u, user: {token: \"hunter2}}]", "token: hunter2: hunter2",
        "token: [hunter2", "users: [{name: u, user: {token: [hunter2]}}]",
        "users: [{name: u, user: {token: {hunter2: 1}}}]", "token: &hunter2 a\nb: *hunter3",
        "hunter2", "- hunter2", "users: hunter2", "users: [hunter2]", "token: @hunter2",
        "token: 'hunter2\n---\nx", "password: !!hunter2 x", "\thunter2: a", "token: hunter2\x01"}) {
    const std::string file =
        folder.Write("config",
                     "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: "
                     "u}}]\nclusters: [{name: c, cluster: {}}]\n" +
                         text + "\n");
    const Result<ClusterAccess> access = LoadKubeconfig({file}, "");
    ASSERT_FALSE(access) << text;
    EXPECT_EQ(access.error().message.find("hunter"), std::string::npos) << access.error().message;
  }
}

TEST(Access, nothing_anywhere_names_all_the_places) {
  const TestFolder folder;
  const Variable variable("KUBECONFIG", nullptr);
  const Variable home("HOME", folder.Path("").c_str());
  const Variable host("KUBERNETES_SERVICE_HOST", nullptr);
  const Result<ClusterAccess> access = LoadAccess({});
  ASSERT_FALSE(access);
  EXPECT_EQ(access.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(access.error().message, HasSubstr("--kubeconfig and --master are not set"));
  EXPECT_THAT(access.error().message, HasSubstr(".kube/config is not there"));
  EXPECT_THAT(access.error().message, HasSubstr("KUBERNETES_SERVICE_HOST"));
  EXPECT_EQ(LoadAccess({.kubeconfig = "", .master = "http://m", .context = ""})->server,
            "http://m");
  EXPECT_EQ(LoadAccess({.kubeconfig = "/nowhere", .master = "", .context = ""}).error().message,
            "--kubeconfig: /nowhere is not there");
}

TEST(Access, a_pod_has_its_service_account) {
  const TestFolder folder;
  folder.Write("token", "t");
  folder.Write("ca.crt", "pem");
  folder.Write("namespace", "batch\n");
  const std::string path = std::filesystem::path(folder.Path("x")).parent_path();
  const Variable host("KUBERNETES_SERVICE_HOST", "fd00::1");
  const Variable port("KUBERNETES_SERVICE_PORT", "443");
  const Result<ClusterAccess> access = LoadInCluster(path);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->token_file, path + "/token");
  EXPECT_EQ(access->ca_file, path + "/ca.crt");
  EXPECT_EQ(access->namespace_, "batch");
  EXPECT_EQ(LoadInCluster("/nowhere").error().message,
            "in-cluster: /nowhere/token: cannot be read");
}

}  // namespace
}  // namespace batholith
