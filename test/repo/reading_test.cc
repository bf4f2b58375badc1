// What comes from outside is read in one place: JSON by codec/json, numbers in text by
// api/value_text. Who else touches the parts of a JSON value is listed here, with the reason.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

using Reasons = std::map<std::string_view, std::string_view>;

const Reasons kTouchJson{
    {"client/watch/watch_events.cc", "takes the items out of a list without a copy"},
    {"client/write/status_writer.cc", "joins patches that were made here"},
    {"client/write/wanted_status.cc", "merges patches that were made here"},
    {"cmd/decisions_diff.cc", "compares any two values"},
    {"cmd/indented_json.cc", "prints any value"},
    {"cmd/kube_listing.cc", "prints any value"},
    {"cmd/yaml_text.cc", "prints any value"},
    {"codec/decode.cc", "frees each item of a list as soon as it is read"},
    {"codec/encode_parts.cc", "leaves out what is empty of what it writes"},
    {"codec/kube_proto_message.cc", "makes values of protobuf"},
    {"codec/limits.cc", "measures any value"},
    {"codec/session_memory.cc", "reads back what this program wrote, by the same description"},
    {"sim/scenario/manifests.cc", "copies any value, and takes the items out of a list"},
};

const Reasons kReadNumbers{
    {"api/value_text.cc", "is the reader"},
    {"cel/syntax/number.cc", "reads numbers as the expression language defines them"},
};

void ExpectOnly(const std::vector<std::string_view>& signs, const Reasons& allowed,
                std::string_view reader) {
  std::vector<std::string> folders = LayerFolders();
  std::erase_if(folders, [](const std::string& folder) { return folder == "test"; });
  std::map<std::string_view, bool> used;
  for (const SourceFile& file : SourceFiles(folders)) {
    if (file.path.starts_with(reader)) continue;
    const auto entry = allowed.find(file.path);
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string_view sign : signs) {
        if (!file.lines[i].contains(sign)) continue;
        if (entry != allowed.end()) used[entry->first] = true;
        EXPECT_NE(entry, allowed.end())
            << file.path << ":" << i + 1 << ": " << sign << " belongs to " << reader;
      }
    }
  }
  for (const auto& [path, reason] : allowed) {
    if (path == reader) continue;
    EXPECT_TRUE(used[path]) << path << " needs no exception: " << reason;
  }
}

TEST(Reading, json_is_read_by_fields) {
  ExpectOnly({"if_contains(", "is_string()", "get_string()", "if_string()", "is_int64()",
              "get_int64()", "is_array()", "get_array()", "if_array()", "if_object()", "get_bool()",
              "value_to<", "json::parse("},
             kTouchJson, "codec/json/");
}

TEST(Reading, numbers_in_text_are_read_by_value_text) {
  ExpectOnly({"from_chars", "strtod(", "strtol", "strtoul", "stoi(", "stol(", "stoll(", "stoul(",
              "stod(", "atoi(", "sscanf("},
             kReadNumbers, "api/value_text.cc");
}

}  // namespace
}  // namespace batholith::repo
