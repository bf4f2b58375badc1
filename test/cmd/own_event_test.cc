#include "cmd/own_event.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace batholith {
namespace {

TEST(OwnEvent, is_of_the_pod_where_it_is_known_and_of_the_lease_else) {
  for (const char* name : {"POD_NAME", "POD_NAMESPACE", "POD_UID"}) unsetenv(name);
  ObjectEvent event = OwnEvent("system", "volcano");
  EXPECT_EQ(event.kind + " " + event.namespace_ + "/" + event.name, "Lease system/volcano");
  setenv("POD_NAME", "batholith-1", 1);
  setenv("POD_NAMESPACE", "ours", 1);
  setenv("POD_UID", "u", 1);
  event = OwnEvent("system", "volcano");
  EXPECT_EQ(event.kind + " " + event.namespace_ + "/" + event.name, "Pod ours/batholith-1");
  EXPECT_EQ(event.uid, "u");
  for (const char* name : {"POD_NAME", "POD_NAMESPACE", "POD_UID"}) unsetenv(name);
}

}  // namespace
}  // namespace batholith
