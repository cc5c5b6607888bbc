// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/app/experiment.h"
#include "sim/scenario/catalog.h"

namespace ftlab::app {

int run(const RunOptions& options) {
    const auto catalog = scenario::builtin_catalog();
    scenario::Scenario scenario = scenario::load_scenario(options.scenario, scenario_options(options), *catalog);
    Job job;
    if (options.bare) {
        for (const std::string& note : scenario::make_bare(scenario, options.passes)) {
            fmt::print(stderr, "{}\n", note);
        }
    } else {
        job.expect = scenario.params.expect;
    }
    job.experiment.device = &scenario.device.params;
    job.experiment.user_sectors = scenario.device.user_sectors;
    job.experiment.seed = scenario.params.seed;
    job.experiment.phases = scenario::plan(scenario);
    if (options.bare) {
        for (scenario::PhasePlan& phase : job.experiment.phases) {
            phase.timed = false;  // idle phases, too
        }
    }
    job.description = scenario.params.description;
    auto config = std::make_shared<nlohmann::ordered_json>(config::effective(scenario.params));
    config->erase("device");  // a path; the device itself is in the result
    job.scenario_config = std::move(config);
    job.scenario_file = scenario.file;
    job.device_file = scenario.device.file;
    job.unused = scenario.params.unused.value;
    return carry_out(std::move(job), options);
}

}  // namespace ftlab::app
