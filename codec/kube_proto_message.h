#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace batholith {

struct KubeMessage;  // a message of codec/proto

// The message of a kind ("v1", "Pod"); nullptr where codec/proto has none.
const KubeMessage* FindKubeMessage(std::string_view api_version, std::string_view kind);

// Adds the fields of these bytes to `out`, as JSON. Errors: FieldError, named by message and field.
void ReadKubeMessage(const KubeMessage& message, std::string_view bytes, boost::json::object& out);

// A text of a message: bytes that are no UTF-8 become U+FFFD, as in an API server's JSON.
std::string ReadKubeText(std::string_view bytes);

}  // namespace batholith
