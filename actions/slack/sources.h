#pragma once

#include <string>
#include <vector>

#include "actions/slack/options.h"
#include "actions/slack/room.h"
#include "framework/session.h"

namespace batholith {

class SessionBuffers;

// Equal placeholders that something asks for.
struct WantedSource {
  std::string name;
  ResourceVector size;
  std::int64_t count = 0;
  SlackClass constraints;
  bool damped = false;      // shrinks only after the stabilization window
  bool expendable = false;  // comes last, and no node is added or kept for it
};

// All sources, first to be placed first: what annotations mirror, what capacity buffers keep, then
// what the rate asks for, the biggest pods before the standard ones. `before`: the report of the
// session before, or none.
std::vector<WantedSource> FindSources(Session& session, const SlackOptions& options,
                                      const std::vector<bool>& takes_slack,
                                      const SlackReport* before, SessionBuffers& buffers);

}  // namespace batholith
