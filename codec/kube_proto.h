#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"

namespace batholith {

struct KubeList {
  std::vector<boost::json::value> items;
  std::string resource_version;
  std::string continue_token;
};

struct KubeWatchEvent {
  std::string type;
  boost::json::value object;
};

// Kubernetes' protobuf: "k8s\0" and a runtime.Unknown around the object, as the JSON that the
// server would have sent for it, with apiVersion and kind.
Result<boost::json::value> DecodeKubeObject(std::string_view envelope);
Result<KubeList> DecodeKubeList(std::string_view envelope);
// One frame of a watch, without its length.
Result<KubeWatchEvent> DecodeKubeWatchFrame(std::string_view frame);

}  // namespace batholith
