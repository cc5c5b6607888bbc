# SPDX-License-Identifier: MIT
# How every file of the tree is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF) # also keeps floating-point contraction off: equal results on every machine
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(FTLAB_CCACHE ccache)
    if(FTLAB_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${FTLAB_CCACHE}")
    endif()
endif()

if(FTLAB_SANITIZE)
    set(sanitize -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_compile_options(${sanitize})
    add_link_options(${sanitize})
endif()

# Counting bits is an instruction from x86-64-v2 on (every x86-64 processor since 2009), a library call before (measured:
# 7% of the instructions of garbage collection).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-march=x86-64-v2 FTLAB_HAS_X86_64_V2)
    if(FTLAB_HAS_X86_64_V2)
        add_compile_options(-march=x86-64-v2)
    endif()
endif()

if(FTLAB_LTO)
    include(CheckIPOSupported)
    check_ipo_supported(LANGUAGES CXX)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

add_library(ftlab_warnings INTERFACE)
target_compile_options(ftlab_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       $<$<BOOL:${FTLAB_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # At -O3 GCC 12 warns of overlap inside the library's `"text" + std::string` (bug 105651) and of uninitialised strings
    # when a temporary aggregate is destroyed.  The analyzer of clang-tidy and the sanitizers look for the real ones.
    target_compile_options(ftlab_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
