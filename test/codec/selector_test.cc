// What an API server refuses of selectors, wherever one may stand.
#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

struct SelectorRow {
  std::string text;
  std::string_view expected;  // empty: taken
};

void ExpectRows(const std::vector<SelectorRow>& rows) {
  for (const SelectorRow& row : rows) {
    const std::string refused = JoinedLines(Decode(row.text).refused);
    EXPECT_EQ(refused.empty(), row.expected.empty()) << row.text << "\n" << refused;
    EXPECT_NE(refused.find(row.expected), std::string::npos) << row.expected << "\n" << refused;
  }
}

std::string NodeAffinity(const std::string& term) {
  return PodWith(
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: [" +
      term + "]}}}");
}

std::string Expression(const std::string& text) {
  return NodeAffinity("{matchExpressions: [" + text + "]}");
}

std::string NameField(const std::string& text) {
  return NodeAffinity("{matchFields: [" + text + "]}");
}

TEST(Selectors, node_expressions_are_checked) {
  ExpectRows({
      {Expression("{key: a, operator: In, values: [b]}"), ""},
      {Expression("{key: a, operator: Gt, values: ['-5']}"), ""},
      {Expression("{key: a, operator: Exists}"), ""},
      {NodeAffinity("{}"), ""},
      {NodeAffinity(""), "nodeSelectorTerms: must have at least one term"},
      {Expression("{key: a, operator: In}"),
       "Pod ns/p: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
       "nodeSelectorTerms[0].matchExpressions[0].values: must name a value where operator is In"},
      {Expression("{key: a, operator: NotIn, values: []}"), "values: must name a value"},
      {Expression("{key: a, operator: Exists, values: [b]}"), "values: must be empty where"},
      {Expression("{key: a, operator: DoesNotExist, values: [b]}"), "values: must be empty where"},
      {Expression("{key: a, operator: Gt}"), "values: must be one whole number"},
      {Expression("{key: a, operator: Gt, values: ['1', '2']}"), "must be one whole number"},
      // API servers take these, and no node matches them.
      {Expression("{key: a, operator: Lt, values: [few]}"), ""},
      {Expression("{key: a, operator: Lt, values: ['99999999999999999999']}"), ""},
      {Expression("{key: a, operator: Near, values: [b]}"),
       "operator: \"Near\" must be one of In,"},
      {Expression("{key: a, values: [b]}"), "operator: \"\" must be one of In,"},
      {Expression("{operator: Exists}"), "matchExpressions[0].key: is missing"},
      {Expression("{key: a, operator: In, values: [5]}"), "values[0]: must be a text"},
      {NameField("{key: metadata.name, operator: In, values: [n1]}"), ""},
      {NameField("{key: metadata.name, operator: Exists}"), "must be one of In, NotIn"},
      {NameField("{key: metadata.uid, operator: In, values: [n1]}"),
       "matchFields[0].key: \"metadata.uid\" must be metadata.name"},
      {NameField("{key: metadata.name, operator: In, values: [n1, n2]}"),
       "matchFields[0].values: must be the name of one node"},
  });
}

TEST(Selectors, label_selectors_are_checked_wherever_they_stand) {
  const std::string affinity =
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "[{topologyKey: zone, ";
  const std::string spread = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, ";
  ExpectRows({
      {PodWith(affinity + "labelSelector: {matchExpressions: [{key: a, operator: Gt, values: "
                          "['1']}]}}]}}"),
       "labelSelector.matchExpressions[0].operator: \"Gt\" must be one of In, NotIn, Exists, "
       "DoesNotExist"},
      {PodWith(affinity + "namespaceSelector: {matchExpressions: [{key: a, operator: In}]}}]}}"),
       "namespaceSelector.matchExpressions[0].values: must name a value"},
      {PodWith(affinity + "matchLabelKeys: [app]}]}}"),
       "matchLabelKeys: must be absent where there is no labelSelector"},
      {PodWith(spread + "labelSelector: {matchExpressions: [{key: a, operator: Exists, values: "
                        "[b]}]}}]"),
       "topologySpreadConstraints[0].labelSelector.matchExpressions[0].values: must be empty"},
      {PodWith(spread + "labelSelector: {matchLabels: {a: 1}}}]"),
       "labelSelector.matchLabels.a: must be a text"},
      {PodWith(spread + "whenUnsatisfiable: ScheduleAnyway, minDomains: 2}]"),
       "minDomains: must be absent where whenUnsatisfiable is ScheduleAnyway"},
      {"{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: "
       "{matchExpressions: [{key: a, operator: Lt, values: ['1']}]}}}",
       "PodDisruptionBudget b: spec.selector.matchExpressions[0].operator: \"Lt\" must be"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: "
       "{subGroupPolicy: [{name: s, labelSelector: {matchExpressions: [{operator: Exists}]}}]}}",
       "spec.subGroupPolicy[0].labelSelector.matchExpressions[0].key: is missing"},
  });
}

TEST(Selectors, tolerations_are_checked) {
  ExpectRows({
      {PodWith("tolerations: [{operator: Exists}]"), ""},
      {PodWith("tolerations: [{key: a, effect: NoExecute, tolerationSeconds: 5}]"), ""},
      {PodWith("tolerations: [{key: a, operator: Exists, value: b}]"),
       "spec.tolerations[0].value: must be empty where operator is Exists"},
      {PodWith("tolerations: [{value: b}]"), "operator: must be Exists where there is no key"},
      {PodWith("tolerations: [{key: a, tolerationSeconds: 5}]"),
       "effect: must be NoExecute where there are tolerationSeconds"},
      {PodWith("tolerations: [{key: a, effect: NoExecute, tolerationSeconds: soon}]"),
       "tolerationSeconds: must be a whole number"},
  });
}

}  // namespace
}  // namespace batholith
