// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>

#include "tests/base/scratch_folder.h"

namespace ftlab::test {

inline std::string content_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream{file, std::ios::binary}.rdbuf();
    return text.str();
}

/// What a program left behind.
struct Outcome {
    int code = 0;
    std::string out;
    std::string err;
};

/// Runs the shell command in `folder`; `ftlab` in it stands for the program under test, which finds this tree's data.
inline Outcome shell(const ScratchFolder& folder, const std::string& command) {
    const std::string script = "cd '" + folder.path("") +
                               "' && export FTLAB_HOME='" FTLAB_TEST_SOURCE_DIR "' && ftlab() { '" FTLAB_PROGRAM
                               "' \"$@\"; } && { " +
                               command + "; } >.out 2>.err </dev/null";
    const std::string file = folder.write(".script", script);
    const int status = std::system(("sh '" + file + "'").c_str());  // NOLINT(cert-env33-c): a test's own script
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = content_of(folder.path(".out")),
            .err = content_of(folder.path(".err"))};
}

/// A file of this source tree.
inline std::string source_file(const std::string& name) { return FTLAB_TEST_SOURCE_DIR "/" + name; }

}  // namespace ftlab::test
