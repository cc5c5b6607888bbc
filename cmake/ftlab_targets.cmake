# SPDX-License-Identifier: MIT

# ftlab_library(<name> [FOLDERS <folder>...] [PUBLIC <target>...] [PRIVATE <target>...])
# A layer: every .cpp below the folders (default: the current one), so that adding a policy needs no edit here.
# A layer without a .cpp is an interface library.
function(ftlab_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;PUBLIC;PRIVATE")
    if(NOT arg_FOLDERS)
        set(arg_FOLDERS .)
    endif()
    list(TRANSFORM arg_FOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${arg_FOLDERS})
    if(sources)
        add_library(${name} STATIC ${sources})
        target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
        target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} ftlab_warnings)
    else()
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE "${PROJECT_SOURCE_DIR}")
        target_link_libraries(${name} INTERFACE ${arg_PUBLIC})
    endif()
endfunction()

# ftlab_test(<name> LINKS <target>... [LABEL unit|scenario] [SERIAL])
# One executable from every .cpp below the current folder.  ctest lists its cases when it starts and runs each in a
# process of its own, which SystemC needs.  A case tagged [long] gets the label `long` instead, and an hour.
# SERIAL: never beside another test.
function(ftlab_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "LABEL" "LINKS")
    if(NOT arg_LABEL)
        set(arg_LABEL unit)
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    if(NOT sources)
        return()
    endif()
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE ftlab_test_main ${arg_LINKS} ftlab_warnings)
    target_compile_definitions(${name} PRIVATE FTLAB_TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

    set(cases "${CMAKE_CURRENT_BINARY_DIR}/${name}_cases.cmake")
    file(GENERATE OUTPUT "${cases}" CONTENT "
set(name [==[${name}]==])
set(executable [==[$<TARGET_FILE:${name}>]==])
set(label ${arg_LABEL})
set(serial ${arg_SERIAL})
include([==[${PROJECT_SOURCE_DIR}/cmake/list_test_cases.cmake]==])
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${cases}")
endfunction()
