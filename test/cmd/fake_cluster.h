#pragma once

#include <boost/json/parse.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "test/client/scripted_server.h"
#include "test/cmd/command_env.h"

namespace batholith {

// An API server with these objects: bodies of GET by path. All other paths are 404, all writes are
// done.
class FakeCluster {
 public:
  explicit FakeCluster(std::map<std::string, std::string> bodies)
      : bodies_(std::move(bodies)),
        server_([this](const ScriptedRequest& request) { return AnswerTo(request); }) {
    kubeconfig_ = folder_.Write("config",
                                "{apiVersion: v1, kind: Config, current-context: c, contexts: "
                                "[{name: c, context: {cluster: s, namespace: a}}], clusters: "
                                "[{name: s, cluster: {server: '" +
                                    server_.url() + "'}}]}");
  }

  CommandResult Run(int (*command)(const std::vector<std::string>&),
                    std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--kubeconfig", kubeconfig_});
    return RunCommand(command, arguments);
  }

  // The requests that are no GET: "POST /path", and the bodies.
  std::vector<std::string> Writes() const {
    std::vector<std::string> out;
    for (const ScriptedRequest& r : server_.requests())
      if (r.method != "GET") out.push_back(r.method + " " + r.target);
    return out;
  }
  boost::json::value LastBody() const { return boost::json::parse(server_.requests().back().body); }
  const ScriptedServer& server() const { return server_; }
  // What a watch of a path tells. Before the first command.
  void Tell(const std::string& path, const std::string& events) { events_[path] = events; }

 private:
  Actions AnswerTo(const ScriptedRequest& request) const {
    if (request.Query("watch") == "1") {
      const auto it = events_.find(request.path());
      if (it == events_.end() || !request.Query("sendInitialEvents").empty())
        return Answer(400, "no such watches here");
      return {Head(200), Chunk(it->second), WaitFor("the end")};
    }
    if (request.method == "GET") {
      const auto it = bodies_.find(request.path());
      return it == bodies_.end() ? Answer(404, "404 page not found") : Answer(200, it->second);
    }
    return Answer(request.method == "POST" ? 201 : 200, "{}");
  }

  std::map<std::string, std::string> bodies_;
  std::map<std::string, std::string> events_;
  CommandFolder folder_;
  std::string kubeconfig_;
  ScriptedServer server_;
};

inline std::string ListOfItems(const std::string& items) { return "{\"items\":[" + items + "]}"; }

}  // namespace batholith
