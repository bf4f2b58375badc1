#pragma once

#include <memory>

#include "api/result.h"
#include "cmd/scheduler_flags.h"
#include "cmd/scheduler_status.h"
#include "cmd/status_server.h"

namespace batholith {

// The ports of a daemon, each with a thread of its own, so that none waits for another's clients.
struct Listeners {
  std::unique_ptr<StatusServer> health, metrics, debug;
};

// Those that the flags ask for. `ports` outlives them. Errors: an address that cannot be listened
// on, a certificate that cannot be used.
Result<Listeners> Listen(const SchedulerFlags& flags, const StatusPorts& ports);

}  // namespace batholith
