// SPDX-License-Identifier: MIT
#include "sim/report/output_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace ftlab::report {

namespace fs = std::filesystem;

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(const std::string& path, const std::string& why) {
    throw OutputError{fmt::format("cannot write results to {}: {}", path, why)};
}

}  // namespace

OutputFolder::OutputFolder(std::string path) : path_{std::move(path)} {
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    if (fs::exists(status) && !fs::is_directory(status)) {
        fail(path_, "it is not a folder; name another with --out");
    }
    if (!fs::exists(status)) {
        error.clear();
        made_ = fs::create_directories(path_, error);
        if (error) {
            fail(path_, error.message());
        }
    }
    std::string pattern = (fs::path{path_} / ".tmp-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        const int why = errno;
        if (made_) {
            fs::remove(path_, error);
        }
        fail(path_, reason(why));
    }
    hidden_ = pattern;
}

OutputFolder::~OutputFolder() {
    std::error_code nothing_to_do_about_it;
    open_.clear();
    fs::remove_all(hidden_, nothing_to_do_about_it);
    if (made_ && !published_) {
        fs::remove(path_, nothing_to_do_about_it);
    }
}

void OutputFolder::write(const std::string& name, std::string_view content) {
    const std::string file = (fs::path{hidden_} / name).string();
    const std::unique_ptr<std::FILE, Closer> out{std::fopen(file.c_str(), "wb")};
    if (!out || std::fwrite(content.data(), 1, content.size(), out.get()) != content.size() ||
        std::fflush(out.get()) != 0) {
        fail((fs::path{path_} / name).string(), reason(errno));
    }
    names_.push_back(name);
}

std::FILE* OutputFolder::open(const std::string& name) {
    const std::string file = (fs::path{hidden_} / name).string();
    std::FILE* out = std::fopen(file.c_str(), "wb");
    if (out == nullptr) {
        fail((fs::path{path_} / name).string(), reason(errno));
    }
    open_.emplace_back(name, out);
    names_.push_back(name);
    return out;
}

void OutputFolder::publish() {
    for (auto& [name, file] : open_) {
        if (std::ferror(file.get()) != 0 || std::fclose(file.release()) != 0) {
            fail((fs::path{path_} / name).string(), reason(errno));
        }
    }
    open_.clear();
    for (const std::string& name : names_) {
        std::error_code error;
        fs::rename(fs::path{hidden_} / name, fs::path{path_} / name, error);
        if (error) {
            fail((fs::path{path_} / name).string(), error.message());
        }
    }
    published_ = true;
}

}  // namespace ftlab::report
