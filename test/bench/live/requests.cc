#include "test/bench/live/requests.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/json/serialize.hpp>
#include <future>
#include <iostream>
#include <utility>

#include "client/http/reply.h"

namespace batholith::bench {

namespace json = boost::json;

HttpRequest Post(std::string path, const json::object& body) {
  HttpRequest request;
  request.method = "POST";
  request.path = std::move(path);
  request.content_type = "application/json";
  request.body = json::serialize(body);
  return request;
}

int SendAll(HttpClient& client, std::vector<HttpRequest> requests) {
  std::atomic<std::size_t> left = requests.size();
  std::atomic<int> bad = 0;
  std::promise<void> all;
  for (HttpRequest& request : requests) {
    client.Send(std::move(request), [&](const HttpResult& result) {
      if (KindOfReply(result) != ReplyKind::kAccepted && ++bad == 1)
        std::cerr << "first failure: " << TroubleOf(result) << "\n";
      if (--left == 0) all.set_value();
    });
  }
  all.get_future().wait();
  return bad;
}

HttpRequest MakeNamespace(const std::string& name) {
  return Post(
      "/api/v1/namespaces",
      {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", name}}}});
}

std::vector<HttpRequest> MakeGroups(const std::string& namespace_, int pods, int gang) {
  std::vector<HttpRequest> out;
  const std::string root =
      "/apis/scheduling.volcano.sh/v1beta1/namespaces/" + namespace_ + "/podgroups";
  for (int g = 0; g * gang < pods; ++g) {
    out.push_back(Post(root, {{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                              {"kind", "PodGroup"},
                              {"metadata", json::object{{"name", fmt::format("g{}", g)}}},
                              {"spec", json::object{{"minMember", gang}}}}));
  }
  return out;
}

}  // namespace batholith::bench
