// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the program's commands do, apart from how their options are written (main.cpp).  Each returns the exit code.
namespace ftlab::app {

inline constexpr int kOk = 0;
inline constexpr int kExpectationFailed = 1;
inline constexpr int kUserError = 2;
inline constexpr int kModelFault = 3;
inline constexpr int kInterrupted = 130;

/// Options that run, bare and replay share; quantities as the user wrote them.
struct Common {
    std::vector<std::string> command;  ///< the whole command line, for run.json
    std::string device;                ///< empty: the scenario's
    std::vector<std::string> sets;
    std::string out;
    std::optional<std::uint64_t> seed;
    std::string unused;
    std::string over_provisioning;
    std::string engine = "run-ahead";
    bool log_gc = false;
    bool json = false;
    bool show_blocks = false;
};

struct RunOptions : Common {
    std::string scenario;
    bool bare = false;
    std::uint32_t passes = 1;  ///< of bare
};

struct ReplayOptions : Common {
    std::string trace;
    std::string format;
    std::string speed;
    std::uint32_t closed_loop = 0;  ///< queue depth; 0: open loop
    std::string map = "refuse";
    std::string negative = "refuse";
    std::string precondition = "none";
    std::string mode = "timed";
    std::vector<std::string> ignore;
    std::string skip_bad;
    std::optional<std::uint32_t> disk;
};

int run(const RunOptions& options);
int replay(const ReplayOptions& options);
int check(const std::vector<std::string>& files);
int describe(const std::string& topic);
int list(const std::string& what);
int version();

/// Everything goes to standard output here: a full disk behind it is an error.  Throws report::OutputError.
void print(const std::string& text);

}  // namespace ftlab::app
