# SPDX-License-Identifier: MIT
# Run by ctest for each test executable (see ftlab_test): declares one test per TEST_CASE.  Catch.cmake of Catch2 2.13
# can do so only after linking, and complains wherever a tag matches no case.
function(declare_cases tags label timeout)
    execute_process(COMMAND "${executable}" "${tags}" --list-test-names-only
                    OUTPUT_VARIABLE cases RESULT_VARIABLE count)
    if(NOT count MATCHES "^[0-9]+$") # Catch returns the number of cases
        message(FATAL_ERROR "cannot list the cases of ${executable}: ${count}")
    endif()
    string(REGEX REPLACE "^test_" "" folder "${name}")

    # CMake would not split a list inside brackets or after a backslash: those travel as control characters.
    string(ASCII 1 open)
    string(ASCII 2 close)
    string(ASCII 3 semicolon)
    string(ASCII 4 backslash)
    string(REPLACE "[" "${open}" cases "${cases}")
    string(REPLACE "]" "${close}" cases "${cases}")
    string(REPLACE ";" "${semicolon}" cases "${cases}")
    string(REPLACE "\\" "${backslash}" cases "${cases}")
    string(REGEX MATCHALL "[^\n]+" cases "${cases}")
    foreach(case IN LISTS cases)
        string(REPLACE "${open}" "[" case "${case}")
        string(REPLACE "${close}" "]" case "${case}")
        string(REPLACE "${semicolon}" ";" case "${case}")
        string(REPLACE "${backslash}" "\\" case "${case}")
        string(REGEX REPLACE "([][,\\])" "\\\\\\1" pattern "${case}") # special in a test specification of Catch
        add_test("${folder}: ${case}" "${executable}" "${pattern}")
        set_tests_properties("${folder}: ${case}" PROPERTIES LABELS ${label} TIMEOUT ${timeout} RUN_SERIAL ${serial})
    endforeach()
endfunction()

if(EXISTS "${executable}")
    declare_cases("~[long]" ${label} 120)
    declare_cases("[long]" long 3600)
else()
    add_test("${name} is built" "${executable}") # fails, and says which
endif()
