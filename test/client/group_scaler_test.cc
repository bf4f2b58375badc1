// Sizes of MachineDeployments on a scripted server.
#include "client/write/group_scaler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "api/node_group.h"
#include "test/client/watch_env.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

const std::string kApi = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/";
const std::string kScale = kApi + "machinedeployments/md/scale";

// A MachineDeployment ns/md of some size. Answers of a script stand in for its own, in their order
// for each method and path.
class Groups {
 public:
  using Script = std::map<std::string, std::vector<Actions>>;

  explicit Groups(std::int32_t size, Script script = {})
      : size_(size),
        script_(std::move(script)),
        server_([this](const ScriptedRequest& r) { return Handle(r); }),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        groups_(*client_, state_,
                {.may_send = [this] { return leads_.load(); },
                 .failed =
                     [this](const ScaleFailure& f, const char* cause, const std::string& why) {
                       told_.Add(fmt::format("{} failed ({}), {} stay: {}", f.group, cause,
                                             f.removals.size(), why));
                     },
                 .scaled =
                     [this](const NodeGroupOrder& o) {
                       told_.Add(fmt::format("{} {} to {}", o.group, o.from, o.to));
                     },
                 .answered = [this] { ends_.Add("end"); },
                 .fought_over = [this](const NodeGroupOrder&) { told_.Add("set back"); },
                 .retry = std::chrono::milliseconds(1)}) {
    SeenObject seen;
    seen.api_version = "cluster.x-k8s.io/v1beta2";
    seen.kind = "MachineDeployment";
    seen.path = kApi + "machinedeployments/md";
    state_.Record("MachineDeployment", "ns/md", seen);
  }
  ~Groups() { client_.reset(); }

  static NodeGroupOrder Order(std::int32_t from, std::int32_t to) {
    NodeGroupOrder order;
    order.group = "g";
    order.from = from;
    order.to = to;
    order.target = "MachineDeployment/ns/md";
    return order;
  }
  static NodeGroupOrder Removal(std::int32_t from, Lines nodes, Lines machines) {
    NodeGroupOrder order = Order(from, from - static_cast<std::int32_t>(nodes.size()));
    order.removals = std::move(nodes);
    order.machines = std::move(machines);
    return order;
  }

  void Add(const NodeGroupOrder& order) {
    client_->Post([this, order] { groups_.Add(order); });
  }
  // Carries out the orders one after the other; what was told.
  Lines After(const std::vector<NodeGroupOrder>& orders) {
    for (const NodeGroupOrder& order : orders) {
      const std::size_t before = ends_.lines().size();
      Add(order);
      EXPECT_TRUE(ends_.WaitUntil([&](const auto& lines) { return lines.size() > before; }));
    }
    return told_.lines();
  }
  // "GET scale", "PATCH scale 2 at 7", "PATCH machines/m1 batholith".
  Lines Requests() const {
    Lines out;
    for (const ScriptedRequest& r : server_.requests()) {
      const bool scale = r.path() == kScale;
      std::string line = r.method + " " + (scale ? "scale" : r.path().substr(kApi.size()));
      if (r.method == "PATCH") {
        const json::value body = json::parse(r.body);
        const json::value& meta = body.at("metadata");
        line += scale ? fmt::format(" {} at {}", body.at("spec").at("replicas").as_int64(),
                                    meta.at("resourceVersion").as_string().c_str())
                      : " " + json::serialize(meta.at("annotations").at(kDeleteMachine));
      }
      out.push_back(line);
    }
    return out;
  }
  bool WaitForRequests(std::size_t count) const {
    return asked_.WaitUntil([&](const auto& lines) { return lines.size() >= count; });
  }
  void Resize(std::int32_t size) { size_ = size; }
  void StopLeading() { leads_ = false; }
  void Open(const std::string& gate) { server_.Open(gate); }
  const Record& ends() const { return ends_; }
  const Record& told() const { return told_; }

 private:
  Actions Handle(const ScriptedRequest& r) {
    asked_.Add(r.path());
    std::vector<Actions>& script = script_[r.method + " " + r.path()];
    if (!script.empty()) {
      Actions answer = script.front();
      script.erase(script.begin());
      return answer;
    }
    if (r.method == "PATCH" && r.path() == kScale)
      size_ = static_cast<std::int32_t>(json::parse(r.body).at("spec").at("replicas").as_int64());
    const int size = size_;
    return Answer(
        200, fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"spec":{{"replicas":{}}}}})",
                         70 + size, size));
  }

  std::atomic<std::int32_t> size_;
  Script script_;
  std::atomic<bool> leads_ = true;
  Record told_, ends_, asked_;
  ServerState state_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  GroupScaler groups_;
};

TEST(GroupScaler, a_size_is_read_and_written_once_at_the_version_that_was_read) {
  Groups groups(1);
  EXPECT_THAT(groups.After({Groups::Order(1, 3)}), ElementsAre("g 1 to 3"));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale", "PATCH scale 3 at 71"));
}

TEST(GroupScaler, an_order_that_is_given_twice_is_written_once) {
  Groups groups(1);
  EXPECT_THAT(groups.After({Groups::Order(1, 3), Groups::Order(1, 3)}), ElementsAre("g 1 to 3"));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale", "PATCH scale 3 at 71", "GET scale"));
}

TEST(GroupScaler, a_size_that_somebody_else_changed_is_left_alone) {
  Groups groups(2);
  EXPECT_THAT(groups.After({Groups::Order(1, 3)}), IsEmpty());
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale"));
}

TEST(GroupScaler, the_size_of_a_group_with_zero_nodes_may_be_left_out_of_its_scale) {
  Groups groups(
      0, {{"GET " + kScale, {Answer(200, R"({"metadata":{"resourceVersion":"7"},"spec":{}})")}}});
  EXPECT_THAT(groups.After({Groups::Order(0, 1)}), ElementsAre("g 0 to 1"));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale", "PATCH scale 1 at 7"));
}

TEST(GroupScaler, a_machine_is_marked_before_its_group_shrinks) {
  Groups groups(3);
  NodeGroupOrder order = Groups::Removal(3, {"n2", "n1"}, {"ns/m2", "ns/m1"});
  order.stale_marks = {"ns/m0"};
  EXPECT_THAT(groups.After({order}), ElementsAre("g 3 to 1"));
  EXPECT_THAT(groups.Requests(),
              ElementsAre("GET scale", "PATCH machines/m0 null", "PATCH machines/m2 \"batholith\"",
                          "PATCH machines/m1 \"batholith\"", "PATCH scale 1 at 73"));
}

TEST(GroupScaler, marks_are_taken_off_where_the_size_may_not_be_written) {
  Groups groups(2, {{"PATCH " + kScale, {Says(403)}}});
  EXPECT_THAT(groups.After({Groups::Removal(2, {"n1"}, {"ns/m1"})}),
              ElementsAre(HasSubstr("g failed (forbidden), 1 stay: PATCH: 403")));
  // Nobody waits for the mark to go: it may come after what is sent later.
  EXPECT_TRUE(groups.WaitForRequests(4));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale", "PATCH machines/m1 \"batholith\"",
                                             "PATCH scale 1 at 72", "PATCH machines/m1 null"));
}

TEST(GroupScaler, a_node_without_a_machine_stays) {
  Groups groups(2);
  EXPECT_THAT(groups.After({Groups::Removal(2, {"n1"}, {""})}),
              ElementsAre("g failed (gone), 1 stay: n1 has no Machine"));
  EXPECT_THAT(groups.Requests(), IsEmpty());
}

TEST(GroupScaler, a_group_that_no_object_sizes_is_told_without_a_request) {
  Groups groups(2);
  NodeGroupOrder order = Groups::Order(2, 3);
  order.target = "MachineDeployment/ns/other";
  EXPECT_THAT(groups.After({order}),
              ElementsAre("g failed (gone), 0 stay: MachineDeployment/ns/other is not there"));
  EXPECT_THAT(groups.Requests(), IsEmpty());
}

TEST(GroupScaler, after_a_conflict_the_size_is_read_again) {
  Groups groups(1, {{"PATCH " + kScale, {Says(409)}}});
  EXPECT_THAT(groups.After({Groups::Order(1, 2)}), ElementsAre("g 1 to 2"));
  EXPECT_THAT(groups.Requests(),
              ElementsAre("GET scale", "PATCH scale 2 at 71", "GET scale", "PATCH scale 2 at 71"));
}

TEST(GroupScaler, conflicts_without_end_fail_after_three_tries) {
  Groups groups(1, {{"PATCH " + kScale, {Says(409), Says(409), Says(409), Says(409)}}});
  EXPECT_THAT(groups.After({Groups::Order(1, 2)}),
              ElementsAre(HasSubstr("g failed (conflict), 0 stay: PATCH: 409")));
  EXPECT_EQ(groups.Requests().size(), 6U);
}

TEST(GroupScaler, a_write_without_an_answer_is_looked_up) {
  // The connection ends after the server took it: 500 stands for any answer that says nothing.
  Groups groups(1,
                {{"GET " + kScale,
                  {Answer(200, R"({"metadata":{"resourceVersion":"7"},"spec":{"replicas":1}})"),
                   Answer(200, R"({"metadata":{"resourceVersion":"8"},"spec":{"replicas":2}})")}},
                 {"PATCH " + kScale, {Says(500)}}});
  EXPECT_THAT(groups.After({Groups::Order(1, 2)}), ElementsAre("g 1 to 2"));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale", "PATCH scale 2 at 7", "GET scale"));
}

TEST(GroupScaler, a_busy_server_is_asked_again_a_few_times) {
  Groups groups(1, {{"GET " + kScale, {Says(503), Says(429), Says(503), Says(503)}}});
  EXPECT_THAT(groups.After({Groups::Order(1, 2)}),
              ElementsAre(HasSubstr("g failed (timeout), 0 stay: GET: ")));
  EXPECT_EQ(groups.Requests().size(), 3U);
}

TEST(GroupScaler, one_change_of_a_group_is_under_way_at_a_time) {
  Actions late{WaitFor("go")};
  for (const Action& action : Says(404)) late.push_back(action);
  Groups groups(2, {{"GET " + kScale, {late}}});
  groups.Add(Groups::Order(2, 3));
  groups.Add(Groups::Removal(2, {"n1"}, {"ns/m1"}));
  EXPECT_TRUE(groups.told().WaitForLine("g failed (conflict), 1 stay: it is under way"));
  groups.Open("go");
  EXPECT_TRUE(groups.ends().WaitForLine("end"));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale"));
}

TEST(GroupScaler, who_does_not_lead_writes_nothing) {
  Groups groups(1);
  groups.StopLeading();
  EXPECT_THAT(groups.After({Groups::Order(1, 2)}),
              ElementsAre("g failed (refused), 0 stay: this replica does not lead any more"));
  EXPECT_THAT(groups.Requests(), ElementsAre("GET scale"));
}

TEST(GroupScaler, a_size_that_is_set_back_three_times_is_told_once) {
  Groups groups(1);
  for (int i = 0; i < 5; ++i) {
    groups.After({Groups::Order(1, 2)});
    groups.Resize(1);
  }
  EXPECT_THAT(groups.told().lines(),
              ElementsAre("g 1 to 2", "g 1 to 2", "g 1 to 2", "set back", "g 1 to 2", "g 1 to 2"));
}

}  // namespace
}  // namespace batholith
