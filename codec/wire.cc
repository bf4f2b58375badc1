#include "codec/wire.h"

#include <string>

#include "codec/json/field.h"

namespace batholith {
namespace {

[[noreturn]] void Broken(const std::string& reason) { throw FieldError("protobuf", reason); }

}  // namespace

std::uint64_t WireReader::Varint() {
  if (!rest_.empty() && static_cast<unsigned char>(rest_.front()) < 0x80) {  // nearly always
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    if (i == 10) Broken("a number is longer than 10 bytes");
    const auto byte = static_cast<unsigned char>(rest_[i]);
    value |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return value;
    }
  }
  Broken("ends too early");
}

std::string_view WireReader::Bytes(std::uint64_t n) {
  if (n > rest_.size()) Broken("ends too early");
  const std::string_view bytes = rest_.substr(0, n);
  rest_.remove_prefix(n);
  return bytes;
}

bool WireReader::Next(WireField& out) {
  if (rest_.empty()) return false;
  constexpr std::uint64_t kMaxNumber = (1U << 29U) - 1;
  const std::uint64_t tag = Varint();
  const std::uint64_t number = tag >> 3U;
  if (number == 0 || number > kMaxNumber) Broken("a field has no valid number");
  out = {};
  out.number = static_cast<std::uint32_t>(number);
  out.type = static_cast<WireType>(tag & 7U);
  switch (out.type) {
    case WireType::kVarint:
      out.varint = Varint();
      return true;
    case WireType::kBytes:
      out.bytes = Bytes(Varint());
      return true;
    case WireType::kFixed64:
      out.bytes = Bytes(8);
      return true;
    case WireType::kFixed32:
      out.bytes = Bytes(4);
      return true;
  }
  Broken("field " + std::to_string(number) + " has a type that is not known");
}

}  // namespace batholith
