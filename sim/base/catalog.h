// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <typeinfo>

#include "sim/base/config_fields.h"
#include "sim/base/random.h"

namespace ftlab {

/// One policy that can be named in a configuration, without its C++ types.
struct PolicyInfo {
    std::string name;
    std::string help;
    const config::StructTypeBase* params = nullptr;  // nullptr: it has none
    std::shared_ptr<void> (*fresh_params)() = nullptr;
    /// Returns a new object as a pointer to the interface; the caller owns it.
    void* (*make)(const void* params, const RandomStreams& random) = nullptr;
};

/// All policies that answer one question ("gc.victim"), in the order in which they were added.
struct PolicyTable {
    std::string question;
    std::type_index interface;
    std::deque<PolicyInfo> policies;

    [[nodiscard]] const PolicyInfo* find(std::string_view name) const;
    /// Throws std::invalid_argument when the name is taken or is not in snake_case.
    void add(PolicyInfo policy);
};

/// The policies that implement Interface: a typed view of a table in the catalog.
template <class Interface>
class Registry {
    static_assert(std::has_virtual_destructor_v<Interface>, "policies are deleted through their interface");

public:
    explicit Registry(PolicyTable& table) : table_{&table} {}

    /// Policy has a nested `Params` with describe(), or none, and is constructed from (Params, const RandomStreams&),
    /// (Params), (const RandomStreams&) or ().  Throws std::invalid_argument when the name is taken.
    template <std::derived_from<Interface> Policy>
    Registry& add(std::string_view name, std::string_view help) {
        PolicyInfo policy{.name = std::string{name}, .help = std::string{help}};
        policy.make = [](const void* params, const RandomStreams& random) -> void* {
            return static_cast<Interface*>(construct<Policy>(params, random));
        };
        if constexpr (requires { typename Policy::Params; }) {
            static_assert(
                requires { &Policy::Params::describe; }, "a policy's Params declare their keys in describe()");
            policy.params = static_cast<const config::StructType<typename Policy::Params>*>(
                &config::type_of<typename Policy::Params>());
            policy.fresh_params = []() -> std::shared_ptr<void> { return std::make_shared<typename Policy::Params>(); };
        }
        table_->add(std::move(policy));
        return *this;
    }

private:
    template <class Policy>
    static Policy* construct(const void* params, const RandomStreams& random) {
        if constexpr (requires { typename Policy::Params; }) {
            using Params = typename Policy::Params;
            const auto& mine = *static_cast<const Params*>(params);
            if constexpr (std::constructible_from<Policy, const Params&, const RandomStreams&>) {
                return new Policy(mine, random);
            } else {
                return new Policy(mine);
            }
        } else if constexpr (std::constructible_from<Policy, const RandomStreams&>) {
            return new Policy(random);
        } else {
            return new Policy();
        }
    }

    PolicyTable* table_;
};

/// Everything that can be named in a configuration.  A plain object, filled by functions that receive it
/// (add_builtin_victims(Catalog&), a plug-in's entry point).
class Catalog {
public:
    Catalog() = default;
    Catalog(const Catalog&) = delete;
    Catalog& operator=(const Catalog&) = delete;

    /// The policies that implement Interface; `question` is their name for users ("gc.victim") and must be the same
    /// each time.
    template <class Interface>
    Registry<Interface> registry(std::string_view question) {
        return Registry<Interface>{table(question, typeid(Interface))};
    }

    /// nullptr when nothing was registered for that interface.
    [[nodiscard]] const PolicyTable* find(std::type_index interface) const;
    /// All questions in the order in which they were first asked, for `ftlab list`.
    [[nodiscard]] const std::deque<PolicyTable>& tables() const { return tables_; }

private:
    PolicyTable& table(std::string_view question, std::type_index interface);

    std::deque<PolicyTable> tables_;
};

}  // namespace ftlab
