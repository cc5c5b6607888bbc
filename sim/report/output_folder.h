// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::report {

/// A folder or file of the user's that cannot be written; what() names it and the reason.
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The folder of a result, written as a whole or not at all: files go to a hidden folder inside it and move to their
/// places when all of them are complete.  Whatever was not published disappears with this object, and the folder too if
/// it was made here.
class OutputFolder {
public:
    /// Makes the folder if it is not there and makes sure that files can be written: before anything is simulated.
    /// Throws OutputError.
    explicit OutputFolder(std::string path);
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    ~OutputFolder();

    void write(const std::string& name, std::string_view content);
    /// A file to be written bit by bit; belongs to this object and is closed by publish().
    std::FILE* open(const std::string& name);
    /// Moves all files to their places.
    void publish();

private:
    struct Closer {
        void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
    };

    std::string path_;
    std::string hidden_;
    std::vector<std::string> names_;
    std::vector<std::pair<std::string, std::unique_ptr<std::FILE, Closer>>> open_;
    bool made_ = false;
    bool published_ = false;
};

}  // namespace ftlab::report
