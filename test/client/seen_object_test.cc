// What is kept of an object for the next write to it.
#include "client/watch/seen_object.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace batholith {
namespace {

SeenObject Queue(const std::string& manager, const std::string& operation,
                 const std::string& field) {
  return SeenObjectOf(
      *FindKubeKind("scheduling.volcano.sh/v1beta1", "Queue"),
      boost::json::parse(fmt::format(
          R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{{)"
          R"("name":"q","managedFields":[{{"manager":"{}","operation":"{}",)"
          R"("fieldsV1":{{"f:status":{{"f:{}":{{}}}}}}}}]}}}})",
          manager, operation, field)));
}

TEST(SeenObject, of_a_queue_it_is_kept_whether_who_applies_its_state_applied_what_is_allocated) {
  EXPECT_TRUE(Queue("queue-controller", "Apply", "allocated").state_manager_has_allocated);
  EXPECT_FALSE(Queue("queue-controller", "Apply", "state").state_manager_has_allocated);
  EXPECT_FALSE(Queue("queue-controller", "Update", "allocated").state_manager_has_allocated);
  EXPECT_FALSE(Queue("batholith-scheduler", "Apply", "allocated").state_manager_has_allocated);
}

}  // namespace
}  // namespace batholith
