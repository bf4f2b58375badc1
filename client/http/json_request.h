#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "client/http/http.h"

namespace batholith {

// The content types of bodies.
inline constexpr const char* kJson = "application/json";
inline constexpr const char* kMergePatch = "application/merge-patch+json";
inline constexpr const char* kStrategicPatch = "application/strategic-merge-patch+json";
inline constexpr const char* kApplyPatch = "application/apply-patch+yaml";  // JSON is YAML

HttpRequest JsonRequest(std::string method, std::string path, const boost::json::value& body,
                        const char* content_type = kJson);
// Deletes the object with this uid, and no other of its name.
HttpRequest DeleteRequest(std::string path, const std::string& uid);

}  // namespace batholith
