// SPDX-License-Identifier: MIT
#include "sim/report/summary.h"

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/report/chart.h"
#include "sim/report/table.h"

namespace ftlab::report {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string percent(double share) { return text::people(Ratio{share}); }

/// Every kind of command of every phase.
std::string phase_table(const Result& result) {
    Rows rows{{"phase", "mode", "time", "", "commands", "data", "IOPS", "MB/s", "mean", "p50", "p99", "p99.9", "p99.99",
               "max", "WAF"}};
    for (const PhaseResult& phase : result.phases) {
        bool first = true;
        const auto begin_row = [&] {
            std::vector<std::string> row{first ? phase.name : "", first ? (phase.timed ? "timed" : "bare") : "",
                                         first && phase.timed ? text::people(phase.host.end - phase.host.begin) : ""};
            return row;
        };
        const std::string waf = phase.ftl.host_sectors_received > 0 ? fmt::format("{:.3f}", phase.ftl.waf()) : "";
        for (std::size_t op = 0; op < host::kOps; ++op) {
            const host::OpStats& s = phase.host.ops[op];
            if (s.ios == 0) {
                continue;
            }
            std::vector<std::string> row = begin_row();
            row.insert(row.end(), {host::kOpNames[op], text::people_count(static_cast<double>(s.ios)),
                                   text::people(Bytes{s.bytes})});
            const double seconds = phase.host.seconds();
            if (phase.timed && seconds > 0) {
                const double iops = static_cast<double>(phase.host.ios_by_end[op]) / seconds;
                const double mbps = static_cast<double>(phase.host.bytes_by_end[op]) / 1e6 / seconds;
                const bool carries_data = op == 0 || op == 1;
                const Histogram& h = s.latency;
                row.insert(row.end(),
                           {text::people_count(iops), carries_data ? fmt::format("{:.4g}", mbps) : "",
                            text::people(h.mean()), text::people(h.quantile(0.5)), text::people(h.quantile(0.99)),
                            text::people(h.quantile(0.999)), text::people(h.quantile(0.9999)), text::people(h.max())});
            } else {
                row.resize(rows.front().size() - 1);
            }
            row.push_back(first ? waf : "");
            rows.push_back(std::move(row));
            first = false;
        }
        if (first) {
            rows.push_back(begin_row());
        }
        if (phase.interrupted) {
            rows.back().resize(rows.front().size());
            rows.back().emplace_back("(interrupted)");
        }
    }
    return table(rows, {0, 1, 3});
}

/// Sectors programmed by origin, and what the FTL did.
std::string flash_table(const Result& result) {
    std::vector<bool> used(ftl::kOrigins);
    for (const PhaseResult& phase : result.phases) {
        for (std::size_t i = 0; i < ftl::kOrigins; ++i) {
            used[i] = used[i] || phase.ftl.sectors_programmed.value[i] > 0;
        }
    }
    Rows rows{{"4 KiB sectors programmed"}};
    for (std::size_t i = 0; i < ftl::kOrigins; ++i) {
        if (used[i]) {
            rows.front().emplace_back(ftl::kOriginNames[i]);
        }
    }
    rows.front().insert(rows.front().end(), {"coalesced", "RMW", "victims", "mean valid", "host stops"});
    for (const PhaseResult& phase : result.phases) {
        const ftl::Counters& c = phase.ftl;
        if (c.sectors_programmed.total() == 0 && c.victims == 0) {
            continue;
        }
        std::vector<std::string> row{phase.name};
        for (std::size_t i = 0; i < ftl::kOrigins; ++i) {
            if (used[i]) {
                row.push_back(text::people_count(static_cast<double>(c.sectors_programmed.value[i])));
            }
        }
        row.push_back(text::people_count(static_cast<double>(c.host_sectors_coalesced)));
        row.push_back(text::people_count(static_cast<double>(c.rmw_sectors)));
        row.push_back(text::people_count(static_cast<double>(c.victims)));
        row.push_back(c.victims == 0 ? ""
                                     : text::people_count(static_cast<double>(c.victim_valid_sectors) /
                                                          static_cast<double>(c.victims)));
        row.push_back(text::people_count(static_cast<double>(c.host_stops)));
        rows.push_back(std::move(row));
    }
    return rows.size() == 1 ? "" : table(rows, {0});
}

}  // namespace

std::string summary(const Result& result, const RunFacts& facts, bool utf8) {
    std::string text;
    text += fmt::format("{}: {} for the user, over-provisioning {}, spare factor {}, unused {}; seed {}\n",
                        result.device.empty() ? "device" : result.device, text::people(result.spare.user),
                        percent(result.spare.over_provisioning), percent(result.spare.spare_factor),
                        percent(result.unused), result.seed);
    text += "\n" + phase_table(result);
    if (const std::string flash = flash_table(result); !flash.empty()) {
        text += "\n" + flash;
    }
    if (const std::string over_time = iops_chart(result, utf8); !over_time.empty()) {
        text += "\n" + over_time;
    }
    text += fmt::format("\nblocks erased {} to {} times, {:.2f} on average; {:.1f} s of CPU time, {} of memory\n",
                        result.wear.min, result.wear.max, result.wear.mean, facts.cpu_seconds,
                        text::people(Bytes{facts.peak_rss_bytes}));
    if (result.partial) {
        text += "interrupted: the result is partial and was not compared with what is expected\n";
    }
    return text;
}

std::string expect_table(const Result& result) {
    if (result.verdicts.empty()) {
        return "";
    }
    Rows rows{{"", "expected", "phase", "value", "at least", "at most", "target"}};
    for (const Verdict& v : result.verdicts) {
        rows.push_back(
            {v.ok ? "ok" : "FAIL", v.metric, v.phase, v.value ? fmt::format("{:.6g}", *v.value) : "(" + v.problem + ")",
             v.min ? fmt::format("{:.6g}", *v.min) : "", v.max ? fmt::format("{:.6g}", *v.max) : "", v.target});
    }
    return table(rows, {0, 1, 2, 6});
}

}  // namespace ftlab::report
