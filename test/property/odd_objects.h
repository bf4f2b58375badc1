#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace batholith::property {

// Objects of right types with odd values, made from the schemas that servers publish: of each kind
// a plain object in which some fields, taken at random from all that the schema has, say the
// largest number, an endless text, no known word, a time long ago, null and the like. The same seed
// makes the same object.
class OddObjects {
 public:
  // The OpenAPI documents of test/property/openapi and the custom kinds of installer/crds.
  // `folder`: of the sources.
  explicit OddObjects(const std::string& folder);

  // "apps/v1 Deployment", in order.
  std::vector<std::string> Kinds() const;

  struct Wish {
    int odd_fields = 3;
    // A server that judges values takes one of many such objects; true: words and sizes that it may
    // take are likelier.
    bool plausible = false;
    bool nulls = true;
  };
  // Its name is "odd-SEED", its namespace "odd" where the kind has one.
  boost::json::object Make(const std::string& kind, std::uint64_t seed, const Wish& wish) const;

 private:
  struct Kind {
    std::string api_version, kind;
    bool namespaced = true;
    const boost::json::object* schema = nullptr;  // of `documents_`
  };
  class Maker;

  void AddDocument(const std::string& path);
  void AddCustomKinds(const std::string& path);
  const boost::json::object& Resolve(const boost::json::object& schema) const;

  std::vector<boost::json::value> documents_;  // as many as reserved: they never move
  std::map<std::string, const boost::json::object*, std::less<>> definitions_;
  const boost::json::object* quantity_ = nullptr;
  std::vector<Kind> kinds_;
};

}  // namespace batholith::property
