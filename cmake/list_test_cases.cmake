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
    string(REPLACE ";" "\\;" cases "${cases}")
    string(REPLACE "\n" ";" cases "${cases}")
    foreach(case IN LISTS cases)
        if(case STREQUAL "")
            continue()
        endif()
        string(REGEX REPLACE "([][,\\])" "\\\\\\1" pattern "${case}") # what Catch's test specification treats as special
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
