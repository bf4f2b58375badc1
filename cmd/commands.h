#pragma once

#include <string>
#include <vector>

#include "cmd/help/page.h"

namespace batholith {

// Exit statuses of the program.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kNoWorld = 3;   // no API server to be had
inline constexpr int kCutShort = 4;  // it was told to end, and something did not in time
inline constexpr int kOurBug = 70;

int SimulateCommand(const std::vector<std::string>& arguments);
int VerifyCommand(const std::vector<std::string>& arguments);
int SchedulerCommand(const std::vector<std::string>& arguments);
int ReplayCommand(const std::vector<std::string>& arguments);
int ConfCommand(const std::vector<std::string>& arguments);
int QueueCommand(const std::vector<std::string>& arguments);
int JobCommand(const std::vector<std::string>& arguments);
int QuotaCommand(const std::vector<std::string>& arguments);
int CompletionCommand(const std::vector<std::string>& arguments);
int ManCommand(const std::vector<std::string>& arguments);

// Their pages; of a command with verbs one for each.
CommandPage SimulatePage();
CommandPage VerifyPage();
CommandPage SchedulerPage();
CommandPage ReplayPage();
std::vector<CommandPage> ConfPages();
std::vector<CommandPage> QueuePages();
std::vector<CommandPage> JobPages();
std::vector<CommandPage> QuotaPages();

// The whole program: the command that `words` begin with, or what --help, --version and help ask
// for. Under the name of Volcano's scheduler, vc-scheduler, flags alone are that command's.
int RunProgram(const std::string& name, const std::vector<std::string>& words);

}  // namespace batholith
