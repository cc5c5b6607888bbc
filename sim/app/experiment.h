// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/app/commands.h"
#include "sim/base/quantity.h"
#include "sim/scenario/runner.h"

namespace ftlab::app {

/// What run, bare and replay do alike: runs the experiment under the eyes of the user and hands over its result.
struct Job {
    scenario::Experiment experiment;
    std::string description;
    report::SharedJson scenario_config;
    std::string scenario_file;
    std::string device_file;
    double unused = 0;
    std::vector<scenario::ExpectParams> expect;
};

[[nodiscard]] int carry_out(Job job, const Common& options);

/// An option's value, or throws config::Error that names the option.
template <class T>
T option_value(std::string_view option, const std::string& text) {
    auto parsed = config::TextValue<T>::parse(text);
    if (!parsed) {
        throw config::Error{{{{std::string{option}, 1, 1}, "", parsed.complaint}}};
    }
    return std::move(parsed.value);
}

[[nodiscard]] scenario::Options scenario_options(const Common& options);

}  // namespace ftlab::app
