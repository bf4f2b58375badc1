// Tasks that wait for calls which the test makes.
#include "client/http/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/http/task_owner.h"
#include "client/http/wait.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;

// What is waited for, in order of the waiting.
class Bells {
 public:
  Wait<int> Next() {
    return Wait<int>([this](std::function<void(int)> done) { bells_.push_back(std::move(done)); });
  }
  void Ring(std::size_t bell, int value) { bells_.at(bell)(value); }
  std::size_t size() const { return bells_.size(); }

 private:
  std::vector<std::function<void(int)>> bells_;
};

// Says that a variable of a task is gone.
class Farewell {
 public:
  Farewell(std::vector<std::string>& lines, std::string name)
      : lines_(lines), name_(std::move(name)) {}
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;
  ~Farewell() { lines_.push_back(name_ + " is gone"); }

 private:
  std::vector<std::string>& lines_;
  std::string name_;
};

struct World {
  Bells bells;
  std::vector<std::string> lines;
  std::unique_ptr<TaskOwner> owner = std::make_unique<TaskOwner>();
};

Task<int> Heard(World& world, std::string name) {
  const Farewell farewell(world.lines, name);
  Wait<int> bell = world.bells.Next();
  const int value = co_await bell;
  world.lines.push_back(name + " heard " + std::to_string(value));
  co_return value;
}

Task<> Sum(World& world) {
  const Farewell farewell(world.lines, "sum");
  Task<int> first = Heard(world, "a");
  const int a = co_await first;
  Task<int> second = Heard(world, "b");
  const int b = co_await second;
  world.lines.push_back("sum " + std::to_string(a + b));
}

TEST(Task, a_task_waits_for_another_and_has_its_value) {
  World world;
  world.owner->Start(Sum(world));
  ASSERT_EQ(world.bells.size(), 1U);
  world.bells.Ring(0, 2);
  ASSERT_EQ(world.bells.size(), 2U);
  EXPECT_EQ(world.owner->running(), 1U);
  world.bells.Ring(1, 3);
  EXPECT_EQ(world.owner->running(), 0U);
  EXPECT_THAT(world.lines, ElementsAre("a heard 2", "a is gone", "b heard 3", "b is gone", "sum 5",
                                       "sum is gone"));
}

TEST(Task, one_that_is_not_awaited_never_begins) {
  World world;
  {
    const Task<int> unused = Heard(world, "a");
  }
  EXPECT_EQ(world.bells.size(), 0U);
  EXPECT_THAT(world.lines, ElementsAre());
}

TEST(TaskOwner, what_waits_goes_away_with_its_owner_and_is_not_woken) {
  World world;
  world.owner->Start(Sum(world));
  world.owner->Start(Sum(world));
  world.bells.Ring(0, 2);
  world.lines.clear();
  world.owner.reset();
  EXPECT_THAT(world.lines, ElementsAre("b is gone", "sum is gone", "a is gone", "sum is gone"));
  world.bells.Ring(1, 3);
  world.bells.Ring(2, 3);
  EXPECT_EQ(world.lines.size(), 4U);
}

TEST(TaskOwner, a_call_that_comes_twice_wakes_once) {
  World world;
  world.owner->Start(Sum(world));
  world.bells.Ring(0, 2);
  world.bells.Ring(0, 7);
  world.bells.Ring(1, 3);
  EXPECT_EQ(world.lines.at(4), "sum 5");
}

Task<> Count(int& ended) {
  ++ended;
  co_return;
}

TEST(TaskOwner, many_that_end_at_once_leave_nothing_behind) {
  constexpr int kMany = 100'000;
  int ended = 0;
  TaskOwner owner;
  for (int i = 0; i < kMany; ++i) owner.Start(Count(ended));
  EXPECT_EQ(ended, kMany);
  EXPECT_EQ(owner.running(), 0U);
}

// Each that ends starts the next, as a queue does that has room again.
Task<> Chain(World& world, int left) {
  Wait<int> bell = world.bells.Next();
  const int value = co_await bell;
  if (left > 0) world.owner->Start(Chain(world, left - 1));
  world.lines.push_back(std::to_string(value));
}

TEST(TaskOwner, a_task_may_start_others) {
  World world;
  world.owner->Start(Chain(world, 2));
  for (int i = 0; i < 3; ++i) world.bells.Ring(static_cast<std::size_t>(i), i);
  EXPECT_EQ(world.owner->running(), 0U);
  EXPECT_THAT(world.lines, ElementsAre("0", "1", "2"));
}

TEST(TaskOwner, guarded_work_is_done_while_the_owner_is_there) {
  int done = 0;
  auto owner = std::make_unique<TaskOwner>();
  const std::function<void()> work = owner->Guard([&done] { ++done; });
  work();
  owner.reset();
  work();
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace batholith
