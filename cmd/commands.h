#pragma once

#include <string>
#include <vector>

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

}  // namespace batholith
