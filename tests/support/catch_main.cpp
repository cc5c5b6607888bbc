// SPDX-License-Identifier: MIT
// The one translation unit with Catch's main(): it takes longer to compile than any test.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// libsystemc refers to it, by its C name, from its own main(), which is never called here.
extern "C" int sc_main(int /*argc*/, char* /*argv*/[]);
int sc_main(int /*argc*/, char* /*argv*/[]) { return 0; }
