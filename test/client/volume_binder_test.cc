// Volumes of pods that are bound, on a scripted server that plays the volume controller.
#include "client/write/volume_binder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "test/client/runner_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Lines = std::vector<std::string>;
using Objects = std::map<std::string, json::object>;  // by path

const std::string kClaim = "/api/v1/namespaces/ns/persistentvolumeclaims/c";
const std::string kVolume = "/api/v1/persistentvolumes/v";
const std::string kMade = "/api/v1/persistentvolumes/made";
const std::string kNode = "/api/v1/nodes/n1";

json::object Parsed(const char* text) { return json::parse(text).as_object(); }

Objects Usual() {
  return {{kClaim, Parsed(R"({"metadata":{"namespace":"ns","name":"c","uid":"cu"},"spec":{}})")},
          {kVolume, Parsed(R"({"metadata":{"name":"v","uid":"vu"},"spec":{"capacity":{}}})")},
          {kNode, Parsed(R"({"metadata":{"name":"n1","labels":{"zone":"a"}}})")}};
}

// As the volume controller leaves a claim whose volume is there.
void BindClaim(Objects& objects, const std::string& volume) {
  json::object& claim = objects.at(kClaim);
  claim["spec"].as_object()["volumeName"] = volume;
  claim["metadata"].as_object()["annotations"] =
      json::object{{"pv.kubernetes.io/bind-completed", "yes"}};
}

// Objects that are read and written at their versions. `controller` is asked after each request
// what becomes of them; `refuses` before it whether it is answered otherwise.
class Storage {
 public:
  using Controller = std::function<void(const ScriptedRequest&, Objects&)>;
  using Refuses = std::function<std::optional<Actions>(const ScriptedRequest&, Objects&)>;

  explicit Storage(Objects objects, Controller controller = {}, Refuses refuses = {})
      : objects_(std::move(objects)),
        controller_(std::move(controller)),
        refuses_(std::move(refuses)) {}

  Actions operator()(const ScriptedRequest& r) {
    if (r.path().find("/pods/") != std::string::npos) return Answer(201, "{}");
    if (refuses_) {
      if (auto refused = refuses_(r, objects_)) return *refused;
    }
    const auto it = objects_.find(r.path());
    if (it == objects_.end()) return Says(404, "not found");
    if (r.method == "PUT") {
      json::object written = json::parse(r.body).as_object();
      if (written["metadata"].as_object()["resourceVersion"] != Version(r.path()))
        return Says(409, "the object has been modified");
      it->second = std::move(written);
      ++versions_[r.path()];
    }
    json::object shown = it->second;
    shown["metadata"].as_object()["resourceVersion"] = Version(r.path());
    if (controller_) controller_(r, objects_);
    return Answer(200, json::serialize(shown));
  }

 private:
  json::string Version(const std::string& path) {
    return json::string(std::to_string(versions_[path]));
  }

  Objects objects_;
  Controller controller_;
  Refuses refuses_;
  std::map<std::string, int> versions_;
};

class VolumeRunner : public Runner {
 public:
  explicit VolumeRunner(const Storage& storage, OrderOptions options = Quick())
      : Runner([shared = std::make_shared<Storage>(storage)](
                   const ScriptedRequest& r) { return (*shared)(r); },
               options) {}

  void BindWith(const std::string& volume) {
    client_->Post([this, volume] {
      BindOrder order{{"ns/p", "ns/g", "q", "n1", "allocate"}, "u"};
      order.bind.volumes.push_back({"ns/c", volume});
      runner_.Add(std::move(order));
    });
  }
  // What was written, in order: "PUT v", "POST p/binding".
  Lines Writes() const {
    Lines out;
    for (const ScriptedRequest& r : server_.requests()) {
      if (r.method == "GET") continue;
      const std::string path = r.path();
      out.push_back(
          r.method + " " +
          path.substr(path.rfind(r.method == "POST" ? "p/" : "/") + (r.method == "POST" ? 0 : 1)));
    }
    return out;
  }
  json::value Written(const std::string& path) const {
    for (const ScriptedRequest& r : server_.requests()) {
      if (r.method == "PUT" && r.path() == path) return json::parse(r.body);
    }
    return {};
  }
};

// Binds the claim once the volume names it, at the second look.
Storage::Controller BindsChosen() {
  return [looks = 0](const ScriptedRequest& r, Objects& objects) mutable {
    const bool is_named = objects.at(kVolume)["spec"].as_object().contains("claimRef");
    if (r.path() == kClaim && is_named && ++looks == 2) BindClaim(objects, "v");
  };
}

TEST(VolumeBinder, a_chosen_volume_names_its_claim_and_the_pod_is_bound_once_the_claim_is) {
  VolumeRunner run(Storage(Usual(), BindsChosen()));
  run.BindWith("v");
  EXPECT_THAT(run.Answers(), ElementsAre("bind ns/p u done"));
  EXPECT_THAT(run.Writes(), ElementsAre("PUT v", "POST p/binding"));
  EXPECT_EQ(run.Written(kVolume), json::parse(R"({
      "metadata":{"name":"v","uid":"vu","resourceVersion":"0",
                  "annotations":{"pv.kubernetes.io/bound-by-controller":"yes"}},
      "spec":{"capacity":{},"claimRef":{"kind":"PersistentVolumeClaim","apiVersion":"v1",
              "namespace":"ns","name":"c","uid":"cu","resourceVersion":"0"}}})"));
}

TEST(VolumeBinder, a_volume_that_the_user_kept_for_the_claim_is_made_complete) {
  Objects objects = Usual();
  objects[kVolume]["spec"].as_object()["claimRef"] =
      json::object{{"namespace", "ns"}, {"name", "c"}};
  VolumeRunner run(Storage(objects, BindsChosen()));
  run.BindWith("v");
  EXPECT_THAT(run.Answers(), ElementsAre("bind ns/p u done"));
  const json::value written = run.Written(kVolume);
  EXPECT_EQ(written.at("spec").at("claimRef").at("uid"), "cu");
  EXPECT_FALSE(written.at("metadata").as_object().contains("annotations"));
}

// A start over after a kill finds what was written before it.
TEST(VolumeBinder, what_is_written_already_is_not_written_again) {
  Objects objects = Usual();
  objects[kVolume]["spec"].as_object()["claimRef"] =
      json::object{{"namespace", "ns"}, {"name", "c"}, {"uid", "cu"}};
  VolumeRunner named(Storage(objects, BindsChosen()));
  named.BindWith("v");
  EXPECT_THAT(named.Answers(), ElementsAre("bind ns/p u done"));
  EXPECT_THAT(named.Writes(), ElementsAre("POST p/binding"));
  BindClaim(objects, "v");
  VolumeRunner bound((Storage(objects)));
  bound.BindWith("v");
  EXPECT_THAT(bound.Answers(), ElementsAre("bind ns/p u done"));
  EXPECT_THAT(bound.Writes(), ElementsAre("POST p/binding"));
}

TEST(VolumeBinder, a_claim_to_provision_names_the_node_and_waits_for_its_volume) {
  const auto provisions = [](const ScriptedRequest& r, Objects& objects) {
    if (r.method != "PUT") return;
    BindClaim(objects, "made");
    objects[kMade] = Parsed(R"({"metadata":{"name":"made"},"spec":{"nodeAffinity":{"required":
        {"nodeSelectorTerms":[{"matchExpressions":[
            {"key":"zone","operator":"In","values":["a"]}]}]}}}})");
  };
  VolumeRunner run(Storage(Usual(), provisions));
  run.BindWith("");
  EXPECT_THAT(run.Answers(), ElementsAre("bind ns/p u done"));
  EXPECT_THAT(run.Writes(), ElementsAre("PUT c", "POST p/binding"));
  EXPECT_EQ(run.Written(kClaim).at("metadata").at("annotations"),
            json::parse(R"({"volume.kubernetes.io/selected-node":"n1"})"));
}

struct Refusal {
  std::string name;
  std::string volume;  // the choice
  Storage storage;
  std::string why;
  Lines writes;
};

Storage::Controller Once(std::function<void(Objects&)> change) {
  return [change](const ScriptedRequest& r, Objects& objects) {
    if (r.method == "PUT") change(objects);
  };
}

Objects With(const std::string& path, const char* part, const json::object& more) {
  Objects objects = Usual();
  for (const auto& [key, value] : more) objects[path][part].as_object()[key] = value;
  return objects;
}

std::vector<Refusal> RefusedAtOnce() {
  const json::object taken{{"claimRef", json::object{{"namespace", "ns"}, {"name", "other"}}}};
  const json::object going{{"deletionTimestamp", "2026-01-01T00:00:00Z"}};
  const json::object elsewhere{
      {"annotations", json::object{{"volume.kubernetes.io/selected-node", "n2"}}}};
  return {
      {"another claim has the volume",
       "v",
       Storage(With(kVolume, "spec", taken)),
       "PersistentVolume v was taken by PersistentVolumeClaim ns/other",
       {}},
      {"the volume goes",
       "v",
       Storage(With(kVolume, "metadata", going)),
       "PersistentVolume v is being deleted",
       {}},
      {"the claim goes",
       "v",
       Storage(With(kClaim, "metadata", going)),
       "PersistentVolumeClaim ns/c is being deleted",
       {}},
      {"the claim to provision goes",
       "",
       Storage(With(kClaim, "metadata", going)),
       "PersistentVolumeClaim ns/c is being deleted",
       {}},
      {"another node has the claim",
       "",
       Storage(With(kClaim, "metadata", elsewhere)),
       "PersistentVolumeClaim ns/c is being provisioned on node n2",
       {}},
  };
}

std::vector<Refusal> RefusedLater() {
  const auto refuses = [](int status) {
    return [status](const ScriptedRequest& r, Objects&) -> std::optional<Actions> {
      if (r.method != "PUT") return std::nullopt;
      return Says(status);
    };
  };
  return {
      {"the server refuses the volume",
       "v",
       Storage(Usual(), {}, refuses(422)),
       "PersistentVolume v is not written: 422",
       {"PUT v"}},
      {"a conflict without end",
       "v",
       Storage(Usual(), {}, refuses(409)),
       "PersistentVolume v is not written: 409",
       {"PUT v", "PUT v", "PUT v", "PUT v", "PUT v"}},
      {"the provisioner gives up",
       "",
       Storage(Usual(),
               Once([](Objects& o) { o[kClaim]["metadata"].as_object().erase("annotations"); })),
       "PersistentVolumeClaim ns/c got no volume on node n1: its provisioner has given up there",
       {"PUT c"}},
      {"the volume is taken away",
       "v",
       Storage(Usual(), Once([](Objects& o) { o[kVolume]["spec"].as_object().erase("claimRef"); })),
       "PersistentVolume v was taken from PersistentVolumeClaim ns/c",
       {"PUT v"}},
      {"the claim got another volume",
       "v",
       Storage(Usual(), Once([](Objects& o) { BindClaim(o, "w"); })),
       "PersistentVolumeClaim ns/c was bound to w and not to v",
       {"PUT v"}},
      {"the claim is gone",
       "",
       Storage(Usual(), Once([](Objects& o) { o.erase(kClaim); })),
       "PersistentVolumeClaim ns/c is gone",
       {"PUT c"}},
      {"it is made elsewhere",
       "",
       Storage(Usual(), Once([](Objects& o) {
                 BindClaim(o, "made");
                 o[kMade] =
                     Parsed(R"({"metadata":{"name":"made"},"spec":{"nodeAffinity":{"required":
             {"nodeSelectorTerms":[{"matchExpressions":[
                 {"key":"zone","operator":"In","values":["b"]}]}]}}}})");
               })),
       "PersistentVolume made was made where node n1 cannot reach it",
       {"PUT c"}},
  };
}

TEST(VolumeBinder, what_cannot_be_is_told_and_the_pod_is_not_bound) {
  std::vector<Refusal> refusals = RefusedAtOnce();
  std::ranges::move(RefusedLater(), std::back_inserter(refusals));
  for (const Refusal& c : refusals) {
    SCOPED_TRACE(c.name);
    VolumeRunner run(c.storage);
    run.BindWith(c.volume);
    EXPECT_THAT(run.Answers(), ElementsAre(HasSubstr("bind ns/p u refused: " + c.why)));
    EXPECT_EQ(run.Writes(), c.writes);
    EXPECT_THAT(run.told_.lines(), IsEmpty());
  }
}

TEST(VolumeBinder, a_claim_that_is_never_bound_is_given_up_after_a_while) {
  OrderOptions options = Runner::Quick();
  options.volume_patience = std::chrono::milliseconds(0);
  VolumeRunner run(Storage(Usual()), options);
  run.BindWith("");
  EXPECT_THAT(run.Answers(), ElementsAre(HasSubstr("ns/c is not bound after 0 s")));
}

TEST(VolumeBinder, a_new_conf_says_how_long_those_wait_that_come_after_it) {
  VolumeRunner run{Storage(Usual())};
  run.client_->Post([&run] { run.runner_.SetVolumePatience(std::chrono::milliseconds(0)); });
  run.BindWith("");
  EXPECT_THAT(run.Answers(), ElementsAre(HasSubstr("ns/c is not bound after 0 s")));
}

TEST(VolumeBinder, a_broken_answer_is_followed_by_a_look_and_the_volume_is_written_once) {
  // The write arrives and its answer does not.
  const auto breaks = [broken = false](const ScriptedRequest& r,
                                       Objects& objects) mutable -> std::optional<Actions> {
    if (r.method != "PUT" || broken) return std::nullopt;
    broken = true;
    objects[kVolume] = json::parse(r.body).as_object();
    return Actions{Reset()};
  };
  VolumeRunner run(Storage(Usual(), BindsChosen(), breaks));
  run.BindWith("v");
  EXPECT_THAT(run.Answers(), ElementsAre("bind ns/p u done"));
  EXPECT_THAT(run.Writes(), ElementsAre("PUT v", "POST p/binding"));
}

TEST(VolumeBinder, who_waits_for_volumes_keeps_nobody_waiting) {
  OrderOptions options = Runner::Quick();
  options.parallel = 1;
  VolumeRunner run(Storage(Usual()), options);
  run.BindWith("");
  run.Bind("ns/q");
  EXPECT_TRUE(run.answers_.WaitForLine("bind ns/q u done"));
  EXPECT_THAT(run.answers_.lines(), Not(testing::Contains(HasSubstr("ns/p"))));
  run.leads_ = false;
  EXPECT_THAT(run.Answers(2), ElementsAre("bind ns/q u done", HasSubstr("bind ns/p u refused")));
}

}  // namespace
}  // namespace batholith
