#include "codec/schema/schema.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/check.h"
#include "api/did_you_mean.h"
#include "codec/schema/types.h"

namespace batholith {
namespace {

constexpr std::size_t kMostTold = 10;

struct Type;
struct Member {
  std::string_view name;
  const Type* type = nullptr;  // nullptr: whatever stands there
  bool is_map = false;
};
struct Type {
  std::vector<Member> members = {};  // by name
};

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return words;
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

// Lines with those that go on with them.
std::vector<std::vector<std::string_view>> Lines(std::string_view text) {
  std::vector<std::vector<std::string_view>> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::vector<std::string_view> words = Words(line);
    if (words.empty()) continue;
    if (!line.starts_with(' ')) lines.emplace_back();
    lines.back().insert(lines.back().end(), words.begin(), words.end());
  }
  return lines;
}

class Schema {
 public:
  Schema() {
    for (const std::string_view text :
         {kKubernetesTypes, kStorageTypes, kDeviceTypes, kCustomTypes}) {
      for (const auto& line : Lines(text)) Add(line);
    }
  }

  const Type* TypeOf(std::string_view group, std::string_view kind) const {
    const auto it = kinds_.find(std::string(group) + "/" + std::string(kind));
    return it == kinds_.end() ? nullptr : it->second;
  }
  bool HasNoPart(std::string_view group, std::string_view kind) const {
    return others_.contains(std::string(group) + "/" + std::string(kind));
  }
  // The groups that have a kind of this name.
  std::vector<std::string_view> GroupsOf(std::string_view kind) const {
    std::vector<std::string_view> groups;
    for (const auto& [name, type] : kinds_) {
      const std::size_t slash = name.find('/');
      if (std::string_view(name).substr(slash + 1) == kind)
        groups.push_back(std::string_view(name).substr(0, slash));
    }
    return groups;
  }
  // Of this group, or of any where there is no such group.
  std::vector<std::string_view> KindsNear(std::string_view group) const {
    std::vector<std::string_view> all;
    std::vector<std::string_view> own;
    const auto add = [&](std::string_view name) {
      const std::size_t slash = name.find('/');
      all.push_back(name.substr(slash + 1));
      if (name.substr(0, slash) == group) own.push_back(all.back());
    };
    for (const auto& [name, type] : kinds_) add(name);
    for (const std::string& name : others_) add(name);
    return own.empty() ? all : own;
  }

 private:
  void Add(const std::vector<std::string_view>& line) {
    if (line[0] == "kind") {
      kinds_[std::string(line[1])] = &types_[line[2]];
    } else if (line[0] == "other") {
      std::string group(line[1].substr(0, line[1].size() - 1));
      if (group == "-") group.clear();
      for (std::size_t i = 2; i < line.size(); ++i)
        others_.insert(group + "/" + std::string(line[i]));
    } else {
      CHECK(line[0].ends_with(':'));
      Type& type = types_[line[0].substr(0, line[0].size() - 1)];
      for (std::size_t i = 1; i < line.size(); ++i) type.members.push_back(MemberOf(line[i]));
      std::ranges::sort(type.members, {}, &Member::name);
    }
  }

  Member MemberOf(std::string_view word) {
    const std::size_t end = word.find('>');
    if (end == std::string_view::npos) return {word};
    const bool is_map = word.substr(end).starts_with(">>");
    return {word.substr(0, end), &types_[word.substr(end + (is_map ? 2 : 1))], is_map};
  }

  std::map<std::string_view, Type> types_;
  std::map<std::string, const Type*, std::less<>> kinds_;
  std::set<std::string, std::less<>> others_;
};

const Schema& TheSchema() {
  static const Schema schema;
  return schema;
}

class Walk {
 public:
  // A list is looked at item by item. What is of another shape is told by its reader.
  void Look(const boost::json::value& value, const Type& type, const std::string& path) {
    const Field field(&value, path);
    if (field.is_list()) {
      std::size_t i = 0;
      for (const boost::json::value& item : field.List())
        Look(item, type, path + "[" + std::to_string(i++) + "]");
    }
    if (!field.is_object()) return;
    for (const auto& entry : field.Object()) {
      if (told_.size() >= kMostTold) return;
      const std::string_view name = entry.key();
      const auto member = std::ranges::lower_bound(type.members, name, {}, &Member::name);
      if (member == type.members.end() || member->name != name) {
        Tell(path, name, type);
      } else if (member->type != nullptr) {
        LookBelow(entry.value(), *member, Below(path, name));
      }
    }
  }

  std::vector<std::string> Release() { return std::move(told_); }

 private:
  static std::string Below(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  }

  void LookBelow(const boost::json::value& value, const Member& member, const std::string& path) {
    const Field field(&value, path);
    if (!member.is_map || !field.is_object()) return Look(value, *member.type, path);
    for (const auto& entry : field.Object())
      Look(entry.value(), *member.type, Below(path, entry.key()));
  }

  void Tell(const std::string& path, std::string_view name, const Type& type) {
    std::vector<std::string_view> known;
    for (const Member& member : type.members) known.push_back(member.name);
    told_.push_back(Printable(Below(path, name)) + ": unknown field" + DidYouMean(name, known));
  }

  std::vector<std::string> told_;
};

}  // namespace

std::vector<std::string> UnknownFields(const Field& object, std::string_view group,
                                       std::string_view kind) {
  const Type* type = TheSchema().TypeOf(group, kind);
  if (type == nullptr || object.value() == nullptr) return {};
  Walk walk;
  walk.Look(*object.value(), *type, "");
  return walk.Release();
}

bool HasNoPart(std::string_view group, std::string_view kind) {
  return TheSchema().HasNoPart(group, kind);
}

std::string UnknownKind(std::string_view group, std::string_view kind) {
  const std::string said = "kind " + Printable(kind) +
                           (group.empty() ? " of v1" : " of group " + Printable(group)) +
                           " is not read";
  const std::vector<std::string_view> groups = TheSchema().GroupsOf(kind);
  if (groups.empty()) return said + DidYouMean(kind, TheSchema().KindsNear(group));
  if (groups.size() > 1) return said;  // several systems have one of that name
  const std::string_view meant = groups.front();
  return said + "; did you mean " +
         (meant.empty() ? std::string("v1") : "group \"" + std::string(meant) + "\"") + "?";
}

}  // namespace batholith
