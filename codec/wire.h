#pragma once

#include <cstdint>
#include <string_view>

namespace batholith {

// As protobuf numbers them. Groups are not read: Kubernetes has none.
enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t varint = 0;  // of kVarint
  std::string_view bytes;    // of the other types
};

// The fields of a protobuf message, in the order in which they stand. Copies nothing: the fields
// are parts of the message.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // The next field; false at the end. Errors: FieldError, where the message is cut off or none.
  bool Next(WireField& out);

 private:
  std::uint64_t Varint();
  std::string_view Bytes(std::uint64_t n);

  std::string_view rest_;
};

}  // namespace batholith
