// SPDX-License-Identifier: MIT
#include "sim/workload/trace/input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/check.h"
#include "sim/workload/trace/error.h"

namespace ftlab::workload {

namespace {

class FileStream final : public ByteStream {
public:
    explicit FileStream(std::string path)
        : path_{std::move(path)}, descriptor_{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)} {
        if (descriptor_ < 0) {
            fail("cannot be opened");
        }
    }
    ~FileStream() override { ::close(descriptor_); }

    std::size_t read(std::span<char> out) override {
        ssize_t count = 0;
        do {
            count = ::read(descriptor_, out.data(), out.size());
        } while (count < 0 && errno == EINTR);
        if (count < 0) {
            fail("cannot be read");
        }
        return static_cast<std::size_t>(count);
    }

private:
    [[noreturn]] void fail(const char* what) const {
        const int error = errno;
        if (error == EISDIR) {
            throw TraceError{path_, 0, 0, "is a directory; name the trace file in it"};
        }
        throw TraceError{
            path_, 0, 0,
            fmt::format("{} ({}); check its path and permissions", what, std::generic_category().message(error))};
    }

    std::string path_;
    int descriptor_;
};

class MemoryStream final : public ByteStream {
public:
    explicit MemoryStream(std::string text) : text_{std::move(text)} {}

    std::size_t read(std::span<char> out) override {
        const std::size_t count = std::min(out.size(), text_.size() - taken_);
        std::copy_n(text_.data() + taken_, count, out.data());
        taken_ += count;
        return count;
    }

private:
    std::string text_;
    std::size_t taken_ = 0;
};

}  // namespace

std::unique_ptr<ByteStream> open_file(const std::string& path) { return std::make_unique<FileStream>(path); }

std::unique_ptr<ByteStream> bytes_of(std::string text) { return std::make_unique<MemoryStream>(std::move(text)); }

bool is_rereadable(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

TraceInput::TraceInput(std::string name, std::unique_ptr<ByteStream> stream)
    : name_{std::move(name)}, stream_{std::move(stream)}, buffer_(kBuffer) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (head().starts_with(kByteOrderMark)) {
        begin_ = kByteOrderMark.size();
    }
}

bool TraceInput::refill() {
    if (exhausted_) {
        return false;
    }
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    const std::size_t count = stream_->read(std::span{buffer_}.subspan(end_));
    end_ += count;
    exhausted_ = count == 0;
    return !exhausted_;
}

std::string_view TraceInput::head() {
    FTLAB_CHECK(line_number_ == 0, "the head of a trace is looked at before its lines");
    while (end_ - begin_ < kLongestLine && refill()) {
    }
    return {buffer_.data() + begin_, std::min(end_ - begin_, kLongestLine)};
}

bool TraceInput::next_line(std::string_view& line) {
    std::size_t searched = 0;
    const char* line_end = nullptr;
    for (;;) {
        const char* unread = buffer_.data() + begin_;
        line_end = static_cast<const char*>(std::memchr(unread + searched, '\n', end_ - begin_ - searched));
        searched = line_end == nullptr ? end_ - begin_ : static_cast<std::size_t>(line_end - unread);
        if (line_end != nullptr || searched > kLongestLine || !refill()) {
            break;
        }
    }
    if (line_end == nullptr && searched == 0) {
        return false;
    }
    ++line_number_;
    if (searched > kLongestLine) {
        throw TraceError{name_, line_number_, 0,
                         fmt::format("the line is longer than {} bytes; is this a text trace?", kLongestLine)};
    }
    line = {buffer_.data() + begin_, searched};
    begin_ += searched + (line_end == nullptr ? 0 : 1);
    unended_ = line_end == nullptr;
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return true;
}

}  // namespace ftlab::workload
