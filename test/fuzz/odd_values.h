#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "test/fuzz/byte_source.h"

namespace batholith::fuzz {

// Values of single fields, from sensible ones to the ends of their ranges and beyond.
class OddValues {
 public:
  explicit OddValues(ByteSource& bytes) : bytes_(bytes) {}

  std::int64_t Integer(std::int64_t sensible);
  std::string_view Quantity();
  std::string_view Time();
  std::string_view Label();  // a key
  std::string_view Word();   // a value
  boost::json::object Labels();
  boost::json::object Notes();  // annotations that somebody reads
  boost::json::object Resources();
  void AddResources(boost::json::object& to);
  boost::json::object Selector();
  boost::json::object Affinity();

 private:
  boost::json::object NodeTerm();
  boost::json::object PodTerm();

  ByteSource& bytes_;
};

// The keys of annotations and labels that sessions read.
std::span<const std::string_view> KnownAnnotations();

}  // namespace batholith::fuzz
