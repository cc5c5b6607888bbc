// SPDX-License-Identifier: MIT
#pragma once

#include <systemc>

namespace ftlab {

/// A SystemC kernel of its own, so that one test case can run several simulations, one after the other.  Declare it
/// before the modules.  SystemC documents no such thing: for tests only.
class FreshKernel {
public:
    FreshKernel() : original_{sc_core::sc_get_curr_simcontext()}, own_{new sc_core::sc_simcontext} { use(own_); }

    ~FreshKernel() {
        use(original_);  // never deleted: static events refer to it
        delete own_;
    }

    FreshKernel(const FreshKernel&) = delete;
    FreshKernel& operator=(const FreshKernel&) = delete;

private:
    static void use(sc_core::sc_simcontext* context) {
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = context;
    }

    sc_core::sc_simcontext* original_;
    sc_core::sc_simcontext* own_;
};

}  // namespace ftlab
