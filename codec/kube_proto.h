#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"

// What an API server sends as application/vnd.kubernetes.protobuf, as the JSON that it would have
// sent instead, so that the decoders of codec/kinds.h and codec/pod.h read both. Only the fields of
// codec/proto are there. Kinds: those of codec/kube_kinds.h that are read as
// protobuf, and Status. Errors name what is missing, or the kind whose bytes are cut off or
// no protobuf; one such object refuses the whole list. Bytes that are no UTF-8 become U+FFFD, as in
// an API server's JSON. Cost: O(bytes); a pod takes about as long as its JSON value takes to build.
namespace batholith {

// An envelope ("k8s\0" and a runtime.Unknown) with one object; with apiVersion and kind.
Result<boost::json::value> DecodeKubeObject(std::string_view envelope);

struct KubeList {
  std::vector<boost::json::value> items;  // with apiVersion and kind
  std::string resource_version;
  std::string continue_token;  // empty: this was the last page
};
// An envelope with a list of these kinds.
Result<KubeList> DecodeKubeList(std::string_view envelope);

struct KubeWatchEvent {
  std::string type;           // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
  boost::json::value object;  // of ERROR: a Status
};
// One frame of a watch, without the 4 bytes of its length.
Result<KubeWatchEvent> DecodeKubeWatchFrame(std::string_view frame);

}  // namespace batholith
