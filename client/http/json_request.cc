#include "client/http/json_request.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

namespace batholith {

namespace json = boost::json;

HttpRequest JsonRequest(std::string method, std::string path, const json::value& body,
                        const char* content_type) {
  HttpRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.content_type = content_type;
  request.body = json::serialize(body);
  return request;
}

HttpRequest DeleteRequest(std::string path, const std::string& uid) {
  const json::object body{{"apiVersion", "v1"},
                          {"kind", "DeleteOptions"},
                          {"preconditions", json::object{{"uid", uid}}}};
  return JsonRequest("DELETE", std::move(path), body);
}

}  // namespace batholith
