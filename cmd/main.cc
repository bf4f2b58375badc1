#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cmd/commands.h"
#include "cmd/console.h"

int main(int argc, char** argv) {
  const batholith::SafeConsole console(batholith::SafeConsole::Colours::kOnTerminals);
  try {
    return batholith::RunProgram(argc > 0 ? argv[0] : "",
                                 std::vector<std::string>(argv + (argc > 0), argv + argc));
  } catch (const std::exception& e) {
    std::cerr << "batholith: a bug of ours: " << e.what() << "\n";
    return batholith::kOurBug;
  }
}
