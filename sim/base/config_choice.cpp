// SPDX-License-Identifier: MIT
#include "sim/base/config_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/config_manual.h"
#include "sim/base/config_node.h"
#include "sim/base/config_reader.h"
#include "sim/base/text.h"

namespace ftlab::config {

namespace {

const PolicyTable& policies_of(const Catalog* catalog, std::type_index interface) {
    const PolicyTable* table = catalog != nullptr ? catalog->find(interface) : nullptr;
    FTLAB_CHECK(table != nullptr, "a choice is read with a catalog that knows its interface");
    return *table;
}

std::vector<std::string_view> names_of(const PolicyTable& table) {
    std::vector<std::string_view> names;
    for (const PolicyInfo& policy : table.policies) {
        names.push_back(policy.name);
    }
    return names;
}

/// What the user named: the policy and, unless it was the bare name, the node of its parameters.
struct Named {
    std::string name;
    Place place;
    std::optional<Node> params;
};

/// A map names the policy that the last layer named.  What earlier layers said about it holds only as far as it was
/// said after they named another one: a new name starts from the policy's defaults.
std::optional<Named> named_by_map(const Node& node, const std::string& question, Reader& reader) {
    const Node::Entry* chosen = nullptr;
    int others = 0;  // last layer that named another one
    for (const Node::Entry& entry : node.entries()) {
        if (chosen == nullptr || entry.value.layer() > chosen->value.layer()) {
            others = chosen == nullptr ? others : std::max(others, chosen->value.layer());
            chosen = &entry;
        } else {
            others = std::max(others, entry.value.layer());
        }
    }
    if (chosen == nullptr) {
        reader.complain(node.place(), "names no " + question + "; write the name of one");
        return std::nullopt;
    }
    if (node.entries().size() > 1 && others == chosen->value.layer()) {
        std::string names;
        for (const Node::Entry& entry : node.entries()) {
            if (entry.value.layer() == others) {
                names += (names.empty() ? "" : ", ") + text::quote(entry.key);
            }
        }
        reader.complain(node.place(), "names more than one " + question + ": " + names + "; write exactly one");
        return std::nullopt;
    }
    return Named{chosen->key, chosen->key_place,
                 node.entries().size() > 1 ? chosen->value.said_after(others) : chosen->value};
}

}  // namespace

void ChoiceBase::resolve(const PolicyInfo& policy, std::shared_ptr<const void> params) {
    name_ = policy.name;
    params_ = std::move(params);
    params_type_ = policy.params;
    make_ = policy.make;
}

void ChoiceBase::write(nlohmann::ordered_json& out) const {
    if (params_type_ == nullptr) {
        out = name_;
        return;
    }
    out = nlohmann::ordered_json::object();
    params_type_->write(params_.get(), out[name_]);
}

void ChoiceTypeBase::read(void* value, const Node& node, const Limits& /*limits*/, Reader& reader) const {
    const PolicyTable& table = policies_of(reader.catalog(), interface());
    if (node.is_null() || node.is_list()) {
        reader.complain(node.place(), std::string{node.is_null() ? "has no value" : "is a list"} + "; " +
                                          text::suggest("", names_of(table)));
        return;
    }
    const auto named = node.is_map() ? named_by_map(node, table.question, reader)
                                     : std::optional{Named{node.text(), node.place(), std::nullopt}};
    if (!named) {
        return;
    }
    const PolicyInfo* policy = table.find(named->name);
    if (policy == nullptr) {
        reader.complain(named->place, "there is no " + table.question + " " + text::quote(named->name) + "; " +
                                          text::suggest(named->name, names_of(table)));
        return;
    }
    const Reader::Below here{reader, policy->name};
    const bool has_content = named->params && !named->params->is_null();
    std::shared_ptr<void> params;
    if (policy->params == nullptr) {
        if (has_content && !(named->params->is_map() && named->params->entries().empty())) {
            reader.complain(named->params->place(), "has no parameters; write just \"" + policy->name + "\"");
        }
    } else {
        params = policy->fresh_params();
        if (has_content) {
            policy->params->read(params.get(), *named->params, Limits{}, reader);
        } else {
            policy->params->read_absent(params.get(), named->place, Limits{}, reader);
        }
    }
    base(value).resolve(*policy, std::move(params));
}

void ChoiceTypeBase::read_absent(void* value, const Place& place, const Limits& /*limits*/, Reader& reader) const {
    ChoiceBase& choice = base(value);
    if (choice.is_resolved()) {
        return;
    }
    const PolicyTable& table = policies_of(reader.catalog(), interface());
    const PolicyInfo* policy = table.find(choice.name());
    if (policy == nullptr) {
        reader.complain(place, (choice.name().empty() ? "is missing"
                                                      : "is missing and its default " + text::quote(choice.name()) +
                                                            " is not available") +
                                   "; " + text::suggest("", names_of(table)));
        return;
    }
    std::shared_ptr<void> params;
    if (policy->params != nullptr) {
        const Reader::Below here{reader, policy->name};
        params = policy->fresh_params();
        policy->params->read_absent(params.get(), place, Limits{}, reader);
    }
    choice.resolve(*policy, std::move(params));
}

void ChoiceTypeBase::write(const void* value, nlohmann::ordered_json& out) const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the choice is only read
    base(const_cast<void*>(value)).write(out);
}

std::string ChoiceTypeBase::name(const Catalog* catalog) const {
    return catalog == nullptr ? "policy" : join_names(names_of(policies_of(catalog, interface())));
}

void ChoiceTypeBase::explain(const void* /*value*/, ManualWriter& manual) const {
    for (const PolicyInfo& policy : policies_of(manual.catalog(), interface()).policies) {
        manual.row(policy.name, {.path = "", .type = "policy", .default_value = "", .range = "", .help = policy.help});
        if (policy.params != nullptr) {
            const std::shared_ptr<void> params = policy.fresh_params();
            manual.below(policy.name, *policy.params, params.get());
        }
    }
}

}  // namespace ftlab::config
