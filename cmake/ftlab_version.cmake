# SPDX-License-Identifier: MIT
# `ftlab_version.h`: the version that results carry (ftlab_base's include path) and, for `ftlab version` only, the
# commit the program was built from (target ftlab_revision).  Two things, so that a commit recompiles one tiny file.
configure_file("${PROJECT_SOURCE_DIR}/cmake/ftlab_version.h.in" "${PROJECT_BINARY_DIR}/generated/ftlab_version.h" @ONLY)

find_package(Git QUIET)
set(commit_marker) # changes with every commit and checkout; absent in a tree that is not a clone
if(GIT_FOUND)
    execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --git-path logs/HEAD
                    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE commit_marker
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    cmake_path(ABSOLUTE_PATH commit_marker BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(NOT EXISTS "${commit_marker}" OR IS_DIRECTORY "${commit_marker}")
        set(commit_marker)
    endif()
endif()
set(revision_cpp "${PROJECT_BINARY_DIR}/generated/ftlab_revision.cpp")
add_custom_command(
    OUTPUT "${revision_cpp}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DGIT=${GIT_EXECUTABLE}" "-DOUT=${revision_cpp}"
            -P "${PROJECT_SOURCE_DIR}/cmake/write_revision.cmake"
    DEPENDS "${PROJECT_SOURCE_DIR}/cmake/write_revision.cmake" ${commit_marker}
    VERBATIM)
add_library(ftlab_revision STATIC "${revision_cpp}")
target_include_directories(ftlab_revision PUBLIC "${PROJECT_BINARY_DIR}/generated")
