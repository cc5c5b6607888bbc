// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "sim/base/catalog.h"
#include "sim/base/check.h"
#include "sim/base/config_composite.h"
#include "sim/base/config_value_type.h"

namespace ftlab::config {

/// The part of Choice that does not depend on the interface.
class ChoiceBase {
public:
    ChoiceBase() = default;
    explicit ChoiceBase(std::string_view name) : name_{name} {}

    /// The policy's name in the configuration; empty when there is no default and nothing was read.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Looked up in a catalog: make() may be called.
    [[nodiscard]] bool is_resolved() const { return make_ != nullptr; }

    /// What reading does: fixes the policy and its parameters (an object of the policy's Params, or nullptr).
    void resolve(const PolicyInfo& policy, std::shared_ptr<const void> params);
    /// The user's way of writing it: `greedy` or {d_choices: {d: 10}}.
    void write(nlohmann::ordered_json& out) const;

protected:
    [[nodiscard]] void* make_object(const RandomStreams& random) const {
        FTLAB_CHECK(is_resolved(), "a policy is made after its choice was read");
        return make_(params_.get(), random);
    }

private:
    std::string name_;
    std::shared_ptr<const void> params_;  // shared because it never changes and structs with choices are copied
    const StructTypeBase* params_type_ = nullptr;
    void* (*make_)(const void* params, const RandomStreams& random) = nullptr;
};

/// A policy by name, as a member of a Params struct: `config::Choice<VictimPolicy> victim{"greedy"};`
/// Written in YAML as `greedy` (its parameters at their defaults) or `{d_choices: {d: 10}}`.
/// When a configuration that extends another names a different policy, the parameters of the old one are forgotten.
template <class Interface>
class Choice : public ChoiceBase {
public:
    /// The user must choose.
    Choice() = default;
    explicit Choice(std::string_view default_name) : ChoiceBase{default_name} {}

    /// A new object of the chosen policy.  Only after reading (defaults are resolved then, too).
    [[nodiscard]] std::unique_ptr<Interface> make(const RandomStreams& random) const {
        return std::unique_ptr<Interface>{static_cast<Interface*>(make_object(random))};
    }
};

class ChoiceTypeBase : public ValueType {
public:
    void read(void* value, const Node& node, const Limits& limits, Reader& reader) const final;
    void read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const final;
    void write(const void* value, nlohmann::ordered_json& out) const final;
    [[nodiscard]] std::string name(const Catalog* catalog) const final;
    void explain(const void* value, ManualWriter& manual) const final;

protected:
    ~ChoiceTypeBase() = default;
    [[nodiscard]] virtual ChoiceBase& base(void* value) const = 0;
    [[nodiscard]] virtual std::type_index interface() const = 0;
};

template <class Interface>
class ChoiceType final : public ChoiceTypeBase {
    [[nodiscard]] ChoiceBase& base(void* value) const override { return *static_cast<Choice<Interface>*>(value); }
    [[nodiscard]] std::type_index interface() const override { return typeid(Interface); }
};

template <class Interface>
struct TypeFor<Choice<Interface>> {
    using type = ChoiceType<Interface>;
};

}  // namespace ftlab::config
