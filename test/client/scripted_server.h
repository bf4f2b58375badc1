#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace batholith {

struct ScriptedRequest {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::size_t number = 0;  // among the requests with the same target up to the "?", from 0

  std::string path() const { return target.substr(0, target.find('?')); }
  // The value of a key of the query, as it was sent; empty: none.
  std::string Query(const std::string& key) const;
};

// One thing that the server does with a connection.
struct Action {
  enum class Kind { kBytes, kWait, kReset, kClose };
  Kind kind = Kind::kBytes;
  std::string text;  // what is written; of kWait the gate's name
};
using Actions = std::vector<Action>;

// A whole answer.
Actions Answer(int status, const std::string& body, const std::string& more_headers = "");
// One that says why in the words of an API server.
Actions Says(int status, const std::string& message = "the server says no");
// The head of an answer that comes in chunks, a chunk, and the end of the chunks.
Action Head(int status, const std::string& content_type = "application/json");
Action Chunk(const std::string& data);
Action Last();
Action Raw(const std::string& bytes);
Action WaitFor(const std::string& gate);  // until the test opens it
Action Reset();                           // the connection, with an RST
Action Close();                           // the connection, in order

// An HTTP/1.1 server on loopback that answers by a script: what to do with each request. A thread
// for each connection; the script is called by one of them at a time. Its destructor ends all.
class ScriptedServer {
 public:
  using Script = std::function<Actions(const ScriptedRequest&)>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string url() const;
  void Open(const std::string& gate);  // for all that wait for it, now and later
  std::vector<ScriptedRequest> requests() const;

 private:
  struct Listener;
  struct Connection;

  void Accept();
  void Serve(Connection& connection);
  // False where the connection is over.
  bool Do(Connection& connection, const Action& action);
  Actions Ask(ScriptedRequest request);

  Script script_;
  std::unique_ptr<Listener> listener_;
  mutable std::mutex mutex_;
  std::condition_variable opened_;
  std::set<std::string> gates_;
  std::vector<ScriptedRequest> requests_;
  std::map<std::string, std::size_t> counts_;
  std::list<std::unique_ptr<Connection>> connections_;
  bool stopping_ = false;
  std::thread thread_;
};

// The address of a port where nobody listens.
std::string DeadUrl();

}  // namespace batholith
