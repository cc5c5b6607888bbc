// SPDX-License-Identifier: MIT
#include "sim/report/result_json.h"

#include <string>

#include <nlohmann/json.hpp>

#include "ftlab_version.h"
#include "sim/base/text.h"

namespace ftlab::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr double kMega = 1e6;
constexpr double kPermille9 = 0.999;
constexpr double kPermyriad99 = 0.9999;

Json by_origin(const ftl::ByOrigin& counts) {
    Json json = Json::object();
    for (std::size_t i = 0; i < ftl::kOrigins; ++i) {
        json[ftl::kOriginNames[i]] = counts.value[i];
    }
    return json;
}

Json latency_json(const Histogram& h) {
    Json json = Json::object();
    const bool any = h.count() > 0;
    const auto put = [&](const char* key, Time value) {
        json[key] = any ? Json(to_microseconds(value)) : Json(nullptr);
    };
    put("mean", h.mean());
    put("p50", h.quantile(0.5));
    put("p99", h.quantile(0.99));
    put("p99_9", h.quantile(kPermille9));
    put("p99_99", h.quantile(kPermyriad99));
    put("max", h.max());
    return json;
}

Json op_json(const PhaseResult& phase, std::size_t op) {
    const host::OpStats& stats = phase.host.ops[op];
    const double seconds = phase.host.seconds();
    const bool rates = phase.timed && seconds > 0;
    Json json = Json::object();
    json["ios"] = stats.ios;
    json["bytes"] = stats.bytes;
    json["iops"] = rates ? Json(static_cast<double>(phase.host.ios_by_end[op]) / seconds) : Json(nullptr);
    json["MBps"] = rates ? Json(static_cast<double>(phase.host.bytes_by_end[op]) / kMega / seconds) : Json(nullptr);
    json["latency_us"] = latency_json(stats.latency);
    Json attribution = Json::object();
    for (std::size_t c = 0; c < controller::kCauses; ++c) {
        attribution[controller::kCauseNames[c]] = phase.timed ? Json(to_microseconds(stats.causes[c])) : Json(nullptr);
    }
    json["attribution_us"] = std::move(attribution);
    return json;
}

Json counters_json(const ftl::Counters& c) {
    Json json = Json::object();
    json["host_sectors_received"] = c.host_sectors_received;
    json["host_sectors_coalesced"] = c.host_sectors_coalesced;
    json["host_sectors_read"] = c.host_sectors_read;
    json["read_from_buffer"] = c.read_from_buffer;
    json["read_unmapped"] = c.read_unmapped;
    json["sectors_trimmed"] = c.sectors_trimmed;
    json["rmw_sectors"] = c.rmw_sectors;
    json["rmw_sectors_spared"] = c.rmw_sectors_spared;
    json["born_invalid"] = c.born_invalid;
    json["moves_dropped"] = c.moves_dropped;
    json["victims"] = c.victims;
    json["victim_valid_sectors"] = c.victim_valid_sectors;
    json["host_stops"] = c.host_stops;
    return json;
}

Json verdict_json(const Verdict& v) {
    Json json = Json::object();
    json["metric"] = v.metric;
    json["phase"] = v.phase;
    json["target"] = v.target;
    json["value"] = v.value ? Json(*v.value) : Json(nullptr);
    json["min"] = v.min ? Json(*v.min) : Json(nullptr);
    json["max"] = v.max ? Json(*v.max) : Json(nullptr);
    json["ok"] = v.ok;
    if (!v.problem.empty()) {
        json["problem"] = v.problem;
    }
    return json;
}

}  // namespace

Json phase_json(const PhaseResult& phase) {
    Json json = Json::object();
    json["name"] = phase.name;
    json["kind"] = phase.kind;
    json["mode"] = phase.timed ? "timed" : "bare";
    json["partial"] = phase.interrupted;
    json["seconds"] = phase.timed ? Json(phase.host.seconds()) : Json(nullptr);
    Json& host = json["host"] = Json::object();
    for (std::size_t op = 0; op < host::kOps; ++op) {
        host[host::kOpNames[op]] = op_json(phase, op);
    }
    Json& flash = json["flash"] = Json::object();
    flash["sectors_programmed"] = by_origin(phase.ftl.sectors_programmed);
    flash["reads"] = by_origin(phase.ftl.reads);
    flash["programs"] = by_origin(phase.ftl.programs);
    flash["erases"] = by_origin(phase.ftl.erases);
    json["waf"] = phase.ftl.waf();
    json["waf_programmed"] = phase.ftl.waf_programmed();
    json["ftl"] = counters_json(phase.ftl);
    if (phase.details) {
        json["details"] = *phase.details;
    }
    return json;
}

Json result_json(const Result& result) {
    Json json = Json::object();
    json["ftlab"] = kVersion;
    json["partial"] = result.partial;
    json["seed"] = result.seed;
    json["description"] = result.description;
    Json& spare = json["spare"] = Json::object();
    spare["user_bytes"] = result.spare.user.count;
    spare["raw_bytes"] = result.spare.raw.count;
    spare["usable_bytes"] = result.spare.usable.count;
    spare["over_provisioning"] = result.spare.over_provisioning;
    spare["spare_factor"] = result.spare.spare_factor;
    spare["unused"] = result.unused;
    Json& phases = json["phases"] = Json::array();
    for (const PhaseResult& phase : result.phases) {
        phases.push_back(phase_json(phase));
    }
    Json& wear = json["wear"] = Json::object();
    wear["erases_min"] = result.wear.min;
    wear["erases_mean"] = result.wear.mean;
    wear["erases_max"] = result.wear.max;
    Json& expect = json["expect"] = Json::array();
    for (const Verdict& verdict : result.verdicts) {
        expect.push_back(verdict_json(verdict));
    }
    json["scenario"] = result.scenario_config ? *result.scenario_config : Json(nullptr);
    json["device"] = result.device_config ? *result.device_config : Json(nullptr);
    return json;
}

Json run_json(const Result& result, const RunFacts& facts) {
    Json json = Json::object();
    json["wall_seconds"] = facts.wall_seconds;
    json["cpu_seconds"] = facts.cpu_seconds;
    json["peak_rss_bytes"] = facts.peak_rss_bytes;
    json["engine"] = facts.engine;
    json["events"] = facts.events;
    json["command"] = facts.command;
    json["scenario_file"] = facts.scenario_file;
    json["device_file"] = facts.device_file;
    Json& phases = json["phases"] = Json::array();
    for (const PhaseResult& phase : result.phases) {
        Json one = Json::object();
        one["name"] = phase.name;
        one["cpu_seconds"] = phase.cpu_seconds;
        const auto per_cpu_second = [&phase](std::uint64_t count) {
            return phase.cpu_seconds > 0 ? Json(static_cast<double>(count) / phase.cpu_seconds) : Json(nullptr);
        };
        one["host_ios_per_cpu_second"] = per_cpu_second(phase.ios());
        one["sectors_programmed_per_cpu_second"] = per_cpu_second(phase.ftl.sectors_programmed.total());
        phases.push_back(std::move(one));
    }
    return json;
}

std::string series_csv(const Result& result) {
    std::string csv = "time_s,phase";
    for (std::size_t c = 0; c < kColumns; ++c) {
        csv += ",";
        csv += name_of(static_cast<Column>(c));
    }
    csv += "\n";
    for (const PhaseResult& phase : result.phases) {
        const std::size_t rows = phase.series ? phase.series->rows() : 0;
        for (std::size_t row = 0; row < rows; ++row) {
            csv += text::number(phase.series->time(row)) + "," + text::csv_field(phase.name);
            for (std::size_t c = 0; c < kColumns; ++c) {
                csv += "," + text::number(phase.series->value(row, static_cast<Column>(c)));
            }
            csv += "\n";
        }
    }
    return csv;
}

}  // namespace ftlab::report
