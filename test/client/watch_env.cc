#include "test/client/watch_env.h"

#include <boost/json.hpp>
#include <future>

namespace batholith {
namespace {

std::string TextOf(const boost::json::value& value) {
  return boost::json::value_to<std::string>(value);
}

}  // namespace

std::string ObjectText(const std::string& name, int version, const std::string& uid) {
  return R"({"apiVersion":"x/v1","kind":"Thing","metadata":{"namespace":"ns","name":")" + name +
         R"(","uid":")" + (uid.empty() ? "u" + name : uid) + R"(","resourceVersion":")" +
         std::to_string(version) + "\"}}";
}

std::string ListText(int version, const std::vector<std::string>& items,
                     const std::string& continue_token) {
  std::string text = R"({"apiVersion":"x/v1","kind":"ThingList","metadata":{"resourceVersion":")" +
                     std::to_string(version) + R"(","continue":")" + continue_token +
                     "\"},\"items\":[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ",") + items[i];
  return text + "]}";
}

std::string EventText(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

std::string BookmarkText(int version, bool ends_initial_events) {
  const std::string annotations =
      ends_initial_events ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "";
  return EventText("BOOKMARK",
                   R"({"kind":"Thing","apiVersion":"x/v1","metadata":{"resourceVersion":")" +
                       std::to_string(version) + "\"" + annotations + "}}");
}

std::string ErrorText(int code, const std::string& reason) {
  return EventText("ERROR", R"({"kind":"Status","message":"it broke","reason":")" + reason +
                                R"(","code":)" + std::to_string(code) + "}");
}

Actions OpenWatch(const std::vector<std::string>& events) {
  Actions actions{Head(200)};
  for (const std::string& event : events) actions.push_back(Chunk(event));
  actions.push_back(WaitFor("end"));
  return actions;
}

WatchOptions QuickOptions() {
  WatchOptions options;
  options.stream_list = false;
  options.first_backoff = std::chrono::milliseconds(1);
  options.max_backoff = std::chrono::milliseconds(8);
  options.look_again = std::chrono::seconds(0);
  options.seed = 1;
  return options;
}

WatchRun::WatchRun(const std::string& url, const WatchOptions& options, const HttpOptions& http)
    : client_(std::make_unique<HttpClient>(AccessTo(url), http)) {
  WatchListener listener;
  listener.on_put = [this](boost::json::value&& object) {
    const boost::json::value& metadata = object.at("metadata");
    told_.Add("put " + TextOf(metadata.at("namespace")) + "/" + TextOf(metadata.at("name")) + " " +
              TextOf(metadata.at("resourceVersion")));
  };
  listener.on_gone = [this](const std::string& key, const std::string& uid) {
    told_.Add("gone " + key + " " + uid);
  };
  listener.on_state = [this](WatchState state, const std::string& why) {
    whys_.Add(why);
    told_.Add(std::string("state ") + WatchStateName(state));
  };
  listener.on_alive = [] {};
  WatchTarget target;
  target.kind = "Thing.x";
  target.path = kThings;
  target.resource = "x/things";
  watch_ = std::make_unique<Watch>(*client_, target, options, std::move(listener));
  watch_->Start();
}

WatchRun::~WatchRun() {
  client_.reset();
  watch_.reset();
}

void WatchRun::Drop() {
  std::promise<void> dropped;
  client_->Post([this, &dropped] {
    watch_.reset();
    dropped.set_value();
  });
  dropped.get_future().wait();
}

}  // namespace batholith
