#include "codec/object_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<ObjectReader::Read> ReadText(const std::string& text) {
  ObjectReader reader({"volcano", "second"}, "default");
  return reader.ReadObject(boost::json::parse(text));
}

std::string PodText(const std::string& spec, const std::string& meta = "") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns","name":"p","uid":"u")" +
         meta + "},\"spec\":{" + spec + "}}";
}

TEST(ObjectReader, a_bare_pod_of_ours_comes_with_a_group_of_its_own) {
  for (const char* scheduler : {"volcano", "second"}) {
    const auto read =
        ReadText(PodText(std::string(R"("schedulerName":")") + scheduler + "\"",
                         R"(,"annotations":{"scheduling.volcano.sh/queue-name":"q"})"));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->records.size(), 2U);
    EXPECT_EQ(std::get<PodRecord>(read->records[0]).group, "podgroup-u");
    const auto& group = std::get<PodGroupRecord>(read->records[1]);
    EXPECT_EQ(group.meta.Key(), "ns/podgroup-u");
    EXPECT_EQ(group.queue, "q");
    EXPECT_TRUE(group.made_for_pod);
  }
}

TEST(ObjectReader, a_pod_with_a_group_and_one_of_others_come_alone) {
  for (const std::string& text : {PodText(R"("schedulerName":"volcano")",
                                          R"(,"annotations":{"scheduling.k8s.io/group-name":"g"})"),
                                  PodText(R"("schedulerName":"default-scheduler")"), PodText("")}) {
    const auto read = ReadText(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->records.size(), 1U) << text;
  }
}

TEST(ObjectReader, of_a_pods_annotations_those_that_nobody_reads_are_left_out) {
  const auto read = ReadText(PodText(
      R"("schedulerName":"volcano")",
      R"(,"labels":{"example.org/a":"b"},"annotations":{"scheduling.k8s.io/group-name":"g",)"
      R"("volcano.sh/preemptable":"true","example.org/long":"text","revocable-zone":"z"})"));
  ASSERT_TRUE(read) << read.error().message;
  const auto& pod = std::get<PodRecord>(read->records.at(0));
  EXPECT_EQ(pod.meta.annotations, (Labels{{"volcano.sh/preemptable", "true"}}));
  EXPECT_EQ(pod.meta.labels, (Labels{{"example.org/a", "b"}}));
  EXPECT_EQ(pod.group, "g");
}

TEST(ObjectReader, a_group_without_a_queue_is_of_the_default_one) {
  for (const char* group :
       {"scheduling.volcano.sh/v1beta1", "scheduling.incubator.k8s.io/v1alpha1"}) {
    const std::string head = std::string(R"({"apiVersion":")") + group +
                             R"(","kind":"PodGroup","metadata":{"namespace":"ns","name":"g"})";
    auto read = ReadText(head + "}");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(std::get<PodGroupRecord>(read->records.at(0)).queue, "default");
    read = ReadText(head + R"(,"spec":{"queue":"q"}})");
    EXPECT_EQ(std::get<PodGroupRecord>(read->records.at(0)).queue, "q");
  }
}

// A kind counts with its group only.
TEST(ObjectReader, each_kind_becomes_its_record) {
  const std::vector<std::pair<std::string, std::size_t>> kinds{
      {R"("v1","kind":"Node")", KindOf<NodeRecord>()},
      {R"("v1","kind":"Namespace")", KindOf<NamespaceRecord>()},
      {R"("v1","kind":"ResourceQuota")", KindOf<ResourceQuotaRecord>()},
      {R"("scheduling.k8s.io/v1","kind":"PriorityClass")", KindOf<PriorityClassRecord>()},
      {R"("policy/v1","kind":"PodDisruptionBudget")", KindOf<PodDisruptionBudgetRecord>()},
      {R"("scheduling.volcano.sh/v1beta1","kind":"Queue")", KindOf<QueueRecord>()},
      {R"("scheduling.x-k8s.io/v1alpha1","kind":"ElasticQuota")", KindOf<ElasticQuotaRecord>()},
      {R"("nos.nebuly.com/v1alpha1","kind":"CompositeElasticQuota")",
       KindOf<ElasticQuotaRecord>()}};
  for (const auto& [head, kind] : kinds) {
    const auto read = ReadText("{\"apiVersion\":" + head +
                               R"(,"metadata":{"namespace":"ns","name":"x","uid":"u"},"value":1})");
    ASSERT_TRUE(read) << head << ": " << read.error().message;
    EXPECT_EQ(read->records.at(0).index(), kind) << head;
  }
  for (const char* head : {R"("x/v1","kind":"Pod")", R"("v1","kind":"Queue")",
                           R"("scheduling.x-k8s.io/v1alpha1","kind":"CompositeElasticQuota")"}) {
    const auto read = ReadText("{\"apiVersion\":" + std::string(head) +
                               R"(,"metadata":{"namespace":"ns","name":"x"}})");
    ASSERT_FALSE(read) << head;
    EXPECT_THAT(read.error().message, HasSubstr("kind: nobody reads it"));
  }
}

TEST(ObjectReader, constraints_are_shared_for_as_long_as_somebody_has_them) {
  ConstraintTable table;
  const auto intern = [&table](const std::string& signature) {
    PodConstraints constraints;
    constraints.signature = signature;
    return table.Intern(std::move(constraints));
  };
  const auto kept = intern("kept");
  const std::weak_ptr<const PodConstraints> left = intern("left");
  EXPECT_FALSE(left.expired());
  for (int i = 0; i < 10'000; ++i) {
    const std::weak_ptr<const PodConstraints> passing = intern(std::to_string(i));
  }
  EXPECT_TRUE(left.expired()) << "nobody has it";
  EXPECT_EQ(intern("kept"), kept);
}

TEST(ObjectReader, what_has_no_name_or_kind_is_no_object) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"7", "object: "},
      {"{}", "metadata.name"},
      {R"({"kind":"Pod","apiVersion":"v1","metadata":{}})", "Pod: "}};
  for (const auto& [text, message] : bad) {
    const auto read = ReadText(text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace batholith
