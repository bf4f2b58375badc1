#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace batholith::property {

// A manifest as an API server sends it in protobuf: an envelope with the fields of codec/proto.
// Numbers and texts that are no pointers are sent even when they are empty, as Kubernetes does.
// REQUIRES: a kind of codec/kube_proto.h, and of each field the type that Kubernetes gives it.
std::string KubeEnvelope(const boost::json::object& manifest);

}  // namespace batholith::property
