// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/workload/trace/error.h"
#include "sim/workload/trace/format.h"
#include "sim/workload/trace/reader.h"

namespace ftlab::workload {
namespace {

using namespace std::chrono_literals;

struct Reading {
    std::vector<TraceRecord> records;
    TraceCounts counts;
};

Reading read(const std::string& text, const TraceOptions& options = {}) {
    const auto reader = open_trace_text("t", text, options);
    Reading reading;
    for (TraceRecord record; reader->next(record);) {
        reading.records.push_back(record);
    }
    reading.counts = reader->counts();
    return reading;
}

/// The error that reading ends in; fails where it does not.
TraceError error_of(const std::string& text, const TraceOptions& options = {}) {
    try {
        read(text, options);
    } catch (const TraceError& error) {
        return error;
    }
    FAIL("was read without an error: " << text);
    throw;  // not reached
}

const std::string kMsr =
    "128166410318060999,wdev,1,Write,3165323264,4096,1189\n"
    "128166410318061023,wdev,1,Read,3154124800,512,1166\n";
const std::string kTabs = "128166465299039000 \tRead\t32256\t8192\n";
const std::string kWiscsee =
    "909 D read 0 4096 0.000000000 0 False\n"
    "0 C read 0 4096 0.000149700 0.0001454 False\n"
    "35059 D discard -8388608 8192 0.131107865 0.000171829 True\n";

TEST_CASE("an MSR Cambridge line gives time, disk, operation, bytes") {
    const Reading reading = read(kMsr);

    REQUIRE(reading.records.size() == 2);
    const TraceRecord& first = reading.records[0];
    CHECK(first.stamp == 0ns);
    CHECK(first.device == 1);
    CHECK(first.op == Op::write);
    CHECK(first.offset == 3'165'323'264);
    CHECK(first.size == 4096);
    CHECK(first.line == 1);
    const TraceRecord& second = reading.records[1];
    CHECK(second.stamp == 2400ns);  // 24 ticks of 100 ns
    CHECK(second.op == Op::read);
    CHECK(second.line == 2);
}

TEST_CASE("the tab-separated derivative of MSR Cambridge is told by its content") {
    const Reading reading = read(kTabs);

    REQUIRE(reading.records.size() == 1);
    CHECK(reading.records[0].offset == 32256);
    CHECK(reading.records[0].size == 8192);
    CHECK(reading.records[0].op == Op::read);
}

TEST_CASE("WiscSee issues are requests, completions are not") {
    const Reading reading = read(kWiscsee);

    REQUIRE(reading.records.size() == 2);
    CHECK(reading.counts.requests == 2);
    CHECK(reading.counts.other_lines == 1);
    const TraceRecord& trim = reading.records[1];
    CHECK(trim.op == Op::trim);
    CHECK(trim.offset == -8'388'608);
    CHECK(trim.stamp == 131'107'865ns);
    CHECK(trim.line == 3);
    CHECK_FALSE(trim.fua);  // the sync flag says who waits, not what the drive must do
}

TEST_CASE("line ends, blanks and blank lines do not matter") {
    const std::string line = "128166410318060999,wdev,1,Write,4096,512,1189";
    const std::string text =
        GENERATE_COPY(as<std::string>{}, line, line + "\n", line + "\r\n", line + " \t\r\n", "\n\n" + line + "\n\n",
                      "  " + line, "\xef\xbb\xbf" + line, "128166410318060999, wdev ,1,\tWrite,4096 ,512,1189\n");

    const Reading reading = read(text);

    REQUIRE(reading.records.size() == 1);
    CHECK(reading.records[0].offset == 4096);
    CHECK(reading.records[0].size == 512);
}

TEST_CASE("a header of an MSR trace is no request and no damage") {
    const Reading reading = read("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n" + kMsr);

    CHECK(reading.records.size() == 2);
    CHECK(reading.counts.other_lines == 1);
}

TEST_CASE("a damaged line is refused with its place, what is wrong and how to go on") {
    struct Case {
        std::string line;
        std::uint64_t column;
        std::string sentence;
    };
    const auto bad = GENERATE(values<Case>({
        {"128166410318061023,wdev,1,Write,3154124800", 43, "the line ends before its size"},
        {"128166410318061023,wdev,1,Write,3154124800,4096", 48, "the line ends before its response time"},
        {"128166410318061023,wdev,1,Write,3154124800,4096,1,2", 51, "'2' follows the last column"},
        {"128166410318061023,wdev,1,Write,1.82083E+11,4096,1", 33,
         "the offset '1.82083E+11' is not a whole number (a spreadsheet may have rounded it: its last digits are "
         "lost)"},
        {"128166410318061023,wdev,1,Write,-512,4096,1", 33, "the offset '-512' is negative"},
        {"128166410318061023,wdev,1,Write,100,4096,1", 33, "the offset '100' is not a multiple of 512 bytes"},
        {"128166410318061023,wdev,1,Write,512,100,1", 37, "the size '100' is not a multiple of 512 bytes"},
        {"128166410318061023,wdev,1,Write,18446744073709551616,512,1", 33,
         "the offset '18446744073709551616' does not fit in 64 bits"},
        {"128166410318061023,wdev,1,Write,9223372036854775296,512,1", 33,
         "the offset '9223372036854775296' lies beyond 4 EiB, which no drive holds"},
        {"128166410318061023,wdev,1,Erase,512,512,1", 27, "the type 'Erase' is none of Read, Write, read, write"},
        {"128166410318061023,mds,1,Write,512,512,1", 20,
         "the host name 'mds' is not 'wdev' as in the lines before; a trace is of one host"},
        {"18446744073709551615,wdev,1,Write,512,512,1", 1,
         "the time stamp '18446744073709551615' is no Windows FILETIME"},
        {"1,wdev,1,Write,512,512,1", 1, "the time stamp '1' lies more than 146 years from the first"},
        {"128166410318061023,wdev,4294967296,Write,512,512,1", 25,
         "the disk number '4294967296' does not fit in 32 bits"},
        {",,,,,,", 1, "the time stamp '' is not a whole number"},
        {"\x01\xff", 1, "the time stamp '\\x01\\xff' is not a whole number"},
        {std::string(100, 'x'), 1,
         "the time stamp 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is not a whole number"},
    }));

    const TraceError error = error_of(kMsr + "  " + bad.line + "\n" + kMsr);

    CHECK(error.file() == "t");
    CHECK(error.line() == 3);
    CHECK(error.column() == bad.column + 2);
    CHECK(error.sentence() == bad.sentence + "; repair the line, or skip damaged lines with --skip-bad 1%");
    CHECK(std::string{error.what()} == "t:3:" + std::to_string(bad.column + 2) + ": " + error.sentence());
}

TEST_CASE("damage of a WiscSee line is named") {
    struct Case {
        std::string line;
        std::uint64_t column;
        std::string sentence;
    };
    const auto bad = GENERATE(values<Case>({
        {"909 D read 0 4096 0.0 0", 24, "the line ends before its sync flag"},
        {"909 D read 0 4096 0.0 0 Tru", 25, "the sync flag 'Tru' is neither True nor False"},
        {"909 D read 0 4096 0.0 0 True x", 30, "'x' follows the last column"},
        {"909 D erase 0 4096 0.0 0 True", 7, "the operation 'erase' is none of read, write, discard"},
        {"909 X read 0 4096 0.0 0 True", 5, "the action 'X' is neither D (issued) nor C (completed)"},
        {"909 D read 0 4096 1e-5 0 True", 19, "the time stamp '1e-5' is not a number of seconds"},
        {"909 D read 0 4096 -1.0 0 True", 19, "the time stamp '-1.0' is not a number of seconds"},
        {"909 D read 0 4096 1.0.0 0 True", 19, "the time stamp '1.0.0' is not a number of seconds"},
        {"909 D read 0 4096 99999999999 0 True", 19, "the time stamp '99999999999' is more than 146 years"},
        {"909 D read 0 -512 0.0 0 True", 14, "the size '-512' is negative"},
        {"x D read 0 4096 0.0 0 True", 1, "the process id 'x' is not a whole number"},
    }));

    const TraceError error = error_of(kWiscsee + bad.line + "\n");

    CHECK(error.line() == 4);
    CHECK(error.column() == bad.column);
    CHECK(error.sentence() == bad.sentence + "; repair the line, or skip damaged lines with --skip-bad 1%");
}

TEST_CASE("a last line that is cut off says so") {
    const TraceError error = error_of(kWiscsee + "909 D read 0 40");

    CHECK(error.line() == 4);
    CHECK(error.sentence() ==
          "the file ends within this line: the size '40' is not a multiple of 512 bytes; repair the line, or skip "
          "damaged "
          "lines with --skip-bad 1%");
}

TEST_CASE("seconds are exact to the nanosecond") {
    const auto stamp = [](const std::string& text) {
        return read("1 D read 0 512 " + text + " 0 True").records.at(0).stamp;
    };

    CHECK(stamp("0") == 0ns);
    CHECK(stamp("2.266235438") == 2'266'235'438ns);
    CHECK(stamp("2.2662354389") == 2'266'235'438ns);  // digits beyond the ninth are dropped
    CHECK(stamp("0.5") == 500'000'000ns);
    CHECK(stamp("4611686017.999999999") == 4'611'686'017'999'999'999ns);
}

TEST_CASE("damaged lines may be skipped up to a share, and are counted") {
    std::string text;
    for (int i = 0; i < 50; ++i) {
        text += kMsr;
    }
    text += "damaged\n";

    const Reading reading = read(text, {.skip_bad = Ratio{0.01}});
    const TraceError error = error_of(text + "damaged\n", {.skip_bad = Ratio{0.01}});

    CHECK(reading.records.size() == 100);
    CHECK(reading.counts.damaged_lines == 1);
    CHECK(reading.counts.first_damaged.rfind("t:101:1: the time stamp 'damaged' is not a whole number", 0) == 0);
    CHECK(error.sentence().rfind(
              "2 of 102 lines are damaged, more than the 1% that may be skipped; the first is t:101:1", 0) == 0);
}

TEST_CASE("what is in no known format is refused, and the known ones are listed") {
    const std::string text = GENERATE(as<std::string>{}, "hello\nworld\n", "\n\n\n", std::string(100'000, '\0'),
                                      "1,2,3\n", std::string(300'000, 'x'));

    const TraceError error = error_of(text);

    CHECK(error.line() == 0);
    CHECK(error.sentence().find("is in none of the trace formats msr (") == 0);
    CHECK(error.sentence().find("wiscsee (") != std::string::npos);
    CHECK(error.sentence().find("--format") != std::string::npos);
}

TEST_CASE("a format that is named is taken, also where the content looks otherwise") {
    const TraceError error = error_of(kMsr, {.format = "wiscsee"});
    const TraceError unknown = error_of(kMsr, {.format = "blkparse9"});

    CHECK(read(kMsr, {.format = "msr"}).records.size() == 2);
    CHECK(error.line() == 1);
    CHECK(error.column() == 1);
    CHECK(unknown.sentence().find("there is no trace format 'blkparse9'; choose one of msr (") == 0);
}

TEST_CASE("each format recognises its own beginning and no other") {
    struct Sample {
        std::string name;
        std::string text;
    };
    const auto sample = GENERATE(values<Sample>({{"msr", kMsr}, {"msr", kTabs}, {"wiscsee", kWiscsee}}));

    for (const TraceFormat* format : trace_formats()) {
        CHECK((format->score(sample.text) == 100) == (format->name == sample.name));
        CHECK((format->score(sample.text) > 0) == (format->name == sample.name));
    }
}

TEST_CASE("a few damaged lines at the beginning do not hide the format") {
    const Reading reading = read("garbage\n" + kTabs + kTabs, {.skip_bad = Ratio{0.5}});

    CHECK(reading.records.size() == 2);
    CHECK(reading.counts.damaged_lines == 1);
}

TEST_CASE("an endless line is refused before it fills the memory") {
    const TraceError error = error_of(kMsr + std::string(3'000'000, '1'));

    CHECK(error.line() == 3);
    CHECK(error.sentence() == "the line is longer than 65536 bytes; is this a text trace?");
}

TEST_CASE("lines are whole wherever the buffer ends") {
    // 100,000 lines of 50 and 51 bytes: every alignment to the reader's buffer occurs.
    std::string text;
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    for (; text.size() < 5'000'000; ++lines) {
        text += "128166410318060999,wdev,1,Write,3165323264,4096," + std::to_string(lines % 11) + "\n";
        bytes += 4096;
    }

    const Reading reading = read(text);

    std::uint64_t read_bytes = 0;
    for (const TraceRecord& record : reading.records) {
        read_bytes += record.size;
    }
    CHECK(reading.records.size() == lines);
    CHECK(reading.records.back().line == lines);
    CHECK(read_bytes == bytes);
}

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "ftlab-trace-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

std::string opening_fails(const std::string& path) {
    try {
        open_trace(path, {});
    } catch (const TraceError& error) {
        return error.sentence();
    }
    return "it does not fail";
}

TEST_CASE("a file that cannot be read says why") {
    const TemporaryFolder folder;
    std::ofstream{folder.file("empty")} << "";

    CHECK(opening_fails(folder.file("missing")) ==
          "cannot be opened (No such file or directory); check its path and permissions");
    CHECK(opening_fails(folder.file("")) == "is a directory; name the trace file in it");
    CHECK(opening_fails(folder.file("empty")) == "is empty; a trace has at least one request");
    if (::geteuid() != 0) {  // root may read everything
        std::ofstream{folder.file("locked")} << kMsr;
        std::filesystem::permissions(folder.file("locked"), std::filesystem::perms::none);
        CHECK(opening_fails(folder.file("locked")) ==
              "cannot be opened (Permission denied); check its path and permissions");
    }
}

TEST_CASE("a file reads like the same text in memory") {
    const TemporaryFolder folder;
    std::ofstream{folder.file("trace")} << kWiscsee;

    const auto reader = open_trace(folder.file("trace"), {});

    std::size_t records = 0;
    for (TraceRecord record; reader->next(record);) {
        ++records;
    }
    CHECK(records == 2);
    CHECK(reader->file() == folder.file("trace"));
}

}  // namespace
}  // namespace ftlab::workload
