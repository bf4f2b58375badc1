#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "api/result.h"
#include "framework/action_needs.h"
#include "framework/options/read_options.h"
#include "framework/plugin.h"

namespace batholith {

class Session;

// What a conf needs to know of an action, and how it runs. DescribeAction fills in what follows
// from its functions.
struct ActionDescriptor {
  std::string_view name;
  std::string_view summary;
  std::span<const ArgumentSpec> arguments = {};
  std::span<const RetiredArgument> retired = {};

  PointSet asks = {};        // points of plugins without which it does nothing
  bool admits = false;       // lets groups in; where nobody does, all are in
  bool places = false;       // binds pods
  bool serves_jobs = false;  // of these, by queue and job: what others reserve is for it to bind
  bool places_best_effort = false;  // of these, pods that ask for nothing
  bool makes_room = false;      // by evictions: what it reserves is kept until the victims are gone
  bool revokes_quotas = false;  // takes back what quotas hold for too long
  bool reads_clock = false;     // what it does in an unchanged cluster changes as time goes by
  bool stands_last = false;     // for what is left when all actions for real pods have run

  // Errors: arguments that do not go together, which no spec can say.
  OptionResult<CompiledOptions> (*read)(const Arguments&) = nullptr;
  ActionNeeds (*needs)(const void* options) = nullptr;
  void (*execute)(Session&, const void* options) = nullptr;
};

// The descriptor of an action that is the function kExecute of a session and, with kRead, of the
// options that kRead returns. kNeeds says what these options need; without it they need nothing.
template <auto kExecute, auto kRead = ReadNoOptions, auto kNeeds = nullptr>
constexpr ActionDescriptor DescribeAction(ActionDescriptor about) {
  using Options = OptionsOf<kRead>;
  about.read = ReadErased<kRead>;
  about.needs = [](const void* options) -> ActionNeeds {
    if constexpr (std::is_null_pointer_v<decltype(kNeeds)>) {
      (void)options;
      return {};
    } else {
      return kNeeds(*static_cast<const Options*>(options));
    }
  };
  about.execute = [](Session& session, const void* options) {
    if constexpr (std::is_same_v<Options, NoOptions>) {
      (void)options;
      kExecute(session);
    } else {
      kExecute(session, *static_cast<const Options*>(options));
    }
  };
  return about;
}

}  // namespace batholith
