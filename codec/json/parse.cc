#include "codec/json/parse.h"

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <utility>

#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

// Builds values of what the parser reports. Boost's own handler would round fractions to a double
// and let the last of two equal keys win.
class Builder {
 public:
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);

  // Counts values down, for the next document too.
  explicit Builder(JsonLimits* left) : left_(left) {}

  json::value Release() { return std::move(root_); }
  const std::string& complaint() const { return complaint_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& e) { return Open(json::object(), e); }
  bool on_object_end(std::size_t, json::error_code& e) { return Close(e); }
  bool on_array_begin(json::error_code& e) { return Open(json::array(), e); }
  bool on_array_end(std::size_t, json::error_code& e) { return Close(e); }
  bool on_key_part(json::string_view part, std::size_t, json::error_code& e) {
    return Gather(part, e);
  }
  bool on_key(json::string_view part, std::size_t, json::error_code& e) {
    if (!Gather(part, e)) return false;
    keys_.push_back(std::exchange(text_, {}));
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code& e) {
    return Gather(part, e);
  }
  bool on_string(json::string_view part, std::size_t, json::error_code& e) {
    return Gather(part, e) && Put(json::string(std::exchange(text_, {})), e);
  }
  bool on_number_part(json::string_view part, json::error_code& e) { return Gather(part, e); }
  bool on_int64(std::int64_t value, json::string_view, json::error_code& e) {
    text_.clear();
    return Put(value, e);
  }
  bool on_uint64(std::uint64_t, json::string_view part, json::error_code& e) {
    return on_double(0, part, e);
  }
  bool on_double(double, json::string_view part, json::error_code& e) {
    return Gather(part, e) && Put(json::string(std::exchange(text_, {})), e);
  }
  bool on_bool(bool value, json::error_code& e) { return Put(value, e); }
  bool on_null(json::error_code& e) { return Put(nullptr, e); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  bool Gather(json::string_view part, json::error_code& e) {
    text_.append(part.data(), part.size());
    return Grow(part.size(), e);
  }
  bool Open(json::value container, json::error_code& e) {
    if (!Count(e)) return false;
    open_.push_back(std::move(container));
    return true;
  }
  bool Close(json::error_code& e) {
    json::value value = std::move(open_.back());
    open_.pop_back();
    return Keep(std::move(value), e);
  }
  bool Put(json::value value, json::error_code& e) { return Count(e) && Keep(std::move(value), e); }
  bool Count(json::error_code& e) {
    if (left_->values == 0) return Refuse("too many values for the length of the text", e);
    --left_->values;
    if (IsListOfObjects()) object_bytes_ = 0;
    return Grow(8, e);
  }
  bool Grow(std::size_t bytes, json::error_code& e) {
    object_bytes_ += bytes;
    if (object_bytes_ <= left_->object_bytes) return true;
    return Refuse("makes the object too long, at most " +
                      std::to_string(left_->object_bytes >> 20U) + " MB may be",
                  e);
  }
  // The innermost is `items` of the document.
  bool IsListOfObjects() const {
    return open_.size() == 2 && open_.back().is_array() && keys_.size() == 1 &&
           keys_.front() == "items";
  }
  // Says where it stands: in which object, as far as its name is read, at the fields that are open.
  bool Refuse(const std::string& why, json::error_code& e) {
    const bool in_list = open_.size() > 2 && open_[1].is_array() && keys_.front() == "items";
    complaint_ = NameOf(in_list ? 2 : 0);
    std::string path;
    for (std::size_t i = in_list ? 1 : 0; i < keys_.size(); ++i)
      path += (path.empty() ? "" : ".") + keys_[i].substr(0, 100);
    if (!path.empty()) complaint_ += path + ": ";
    complaint_ += why;
    e = json::error::extra_data;
    return false;
  }
  // "Pod ns/p: ", of the object that is open at this level; empty where it is not known yet.
  std::string NameOf(std::size_t level) const {
    if (open_.size() <= level || !open_[level].is_object()) return "";
    const Field object = Field::Glance(open_[level].get_object());
    const std::string space = object["metadata"]["namespace"].Text();
    const std::string name = object["metadata"]["name"].Text();
    if (name.empty()) return "";
    return Printable((object["kind"].Text() + " " + space + (space.empty() ? "" : "/") + name)
                         .substr(0, 300)) +
           ": ";
  }
  bool Keep(json::value value, json::error_code& e) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (json::array* list = open_.back().if_array()) {
      list->push_back(std::move(value));
    } else {
      const std::string key = std::move(keys_.back());
      keys_.pop_back();
      if (!open_.back().get_object().emplace(key, std::move(value)).second) {
        complaint_ = "key " + key.substr(0, 100) + " appears twice";
        e = json::error::extra_data;
        return false;
      }
    }
    return true;
  }

  JsonLimits* left_;
  std::size_t object_bytes_ = 0;
  json::value root_;
  std::vector<json::value> open_;
  std::vector<std::string> keys_;
  std::string text_;
  std::string complaint_;
};

}  // namespace

std::expected<std::vector<json::value>, JsonError> ParseJson(std::string_view text,
                                                             const JsonLimits& limits) {
  std::vector<json::value> out;
  json::parse_options options;
  options.max_depth = kMaxManifestDepth;
  JsonLimits left = limits;
  std::size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return out;
    json::basic_parser<Builder> parser(options, &left);
    json::error_code error;
    const bool more = false;
    at += parser.write_some(more, text.data() + at, text.size() - at, error);
    if (error) {
      const std::string& own = parser.handler().complaint();
      std::string reason = !own.empty()                       ? own
                           : error == json::error::too_deep   ? "nested deeper than 100"
                           : error == json::error::incomplete ? "ends too early"
                                                              : "no JSON: " + error.message();
      const bool is_syntax = reason.starts_with("no JSON");
      return std::unexpected(JsonError{at, std::move(reason), is_syntax});
    }
    out.push_back(parser.handler().Release());
  }
}

Result<json::value> ParseJsonValue(std::string_view text) {
  auto values = ParseJson(text);
  if (!values) return Invalid(values.error().reason);
  if (values->size() != 1) return Invalid("no JSON: one value is expected");
  return std::move(values->front());
}

}  // namespace batholith
