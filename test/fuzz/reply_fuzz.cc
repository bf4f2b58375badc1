// Bodies of the API server's answers: to writes, of lists, of refusals.
#include <array>

#include "client/access/base64.h"
#include "client/http/reply.h"
#include "client/watch/watch_events.h"
#include "test/fuzz/fuzz.h"

namespace batholith {
namespace {

void Read(std::string_view body) {
  HttpReply reply;
  reply.status = 409;
  reply.body = body;
  (void)BodyOf(reply);
  CHECK(TroubleOf(HttpResult(reply)).starts_with("409"));
  for (const WatchEncoding encoding : {WatchEncoding::kJson, WatchEncoding::kProtobuf}) {
    CHECK(ReadStatusBody(encoding, 410, body).is_expired);
    const auto page = DecodeListPage(encoding, body);
    if (!page) continue;
    for (const auto& item : page->items) (void)ReadHead(item, /*is_bookmark=*/false);
  }
  // Tokens and certificates come in this alphabet.
  CHECK(DecodeBase64(EncodeBase64(body)) == body);
  (void)DecodeBase64(body);
}

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  batholith::Read(batholith::fuzz::TextOf(data, size));
  return batholith::fuzz::kKeep;
}
