#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "client/http/http.h"

namespace batholith::bench {

HttpRequest Post(std::string path, const boost::json::object& body);

// Sends them all, as many at a time as the client lets through; the first failure is said on
// standard error. Returns how many were not done.
int SendAll(HttpClient& client, std::vector<HttpRequest> requests);

// The namespace of a run, and its pod groups g0, g1, … with `gang` pods each.
HttpRequest MakeNamespace(const std::string& name);
std::vector<HttpRequest> MakeGroups(const std::string& namespace_, int pods, int gang);

}  // namespace batholith::bench
