// SPDX-License-Identifier: MIT
#include "sim/base/catalog.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/base/check.h"

namespace ftlab {

namespace {

bool is_snake_case(std::string_view name) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

const PolicyInfo* PolicyTable::find(std::string_view name) const {
    const auto at = std::find_if(policies.begin(), policies.end(), [name](const auto& p) { return p.name == name; });
    return at == policies.end() ? nullptr : &*at;
}

void PolicyTable::add(PolicyInfo policy) {
    if (!is_snake_case(policy.name)) {
        throw std::invalid_argument{"the name \"" + policy.name + "\" of a " + question +
                                    " is not in snake_case; write lower-case letters, digits and _"};
    }
    if (find(policy.name) != nullptr) {
        throw std::invalid_argument{"there is a " + question + " \"" + policy.name +
                                    "\" already; give the new one another name"};
    }
    policies.push_back(std::move(policy));
}

const PolicyTable* Catalog::find(std::type_index interface) const {
    const auto at =
        std::find_if(tables_.begin(), tables_.end(), [interface](const auto& t) { return t.interface == interface; });
    return at == tables_.end() ? nullptr : &*at;
}

PolicyTable& Catalog::table(std::string_view question, std::type_index interface) {
    for (PolicyTable& table : tables_) {
        if (table.interface == interface || table.question == question) {
            FTLAB_CHECK(table.interface == interface && table.question == question,
                        "one interface answers one question, under one name");
            return table;
        }
    }
    return tables_.emplace_back(PolicyTable{std::string{question}, interface, {}});
}

}  // namespace ftlab
