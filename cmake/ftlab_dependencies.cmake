# SPDX-License-Identifier: MIT
# Everything comes from the distribution; the list of Debian packages is in ./ftlab.
find_package(Threads REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 3.4 REQUIRED)

# SystemC: its own CMake package where there is one, else pkg-config (Debian ships no CMake files for it).
add_library(ftlab_systemc INTERFACE)
find_package(SystemCLanguage 2.3.4 CONFIG QUIET)
if(TARGET SystemC::systemc)
    target_link_libraries(ftlab_systemc INTERFACE SystemC::systemc)
else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc>=2.3.4)
    target_link_libraries(ftlab_systemc INTERFACE PkgConfig::SYSTEMC Threads::Threads)
    # Debian's library is compiled as C++17 and checks at link time that its users say so; C++20 code links well with it.
    target_compile_definitions(ftlab_systemc INTERFACE SC_CPLUSPLUS=201703L)
endif()
# sc_spawn is declared only with this define.
target_compile_definitions(ftlab_systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
