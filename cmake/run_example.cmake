# cmake -D program=FILE -D expected=FILE -P run_example.cmake
# Reads the expected file when the test runs, so that it can be added or removed without configuring.
execute_process(COMMAND ${program} OUTPUT_VARIABLE output RESULT_VARIABLE status)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} ended with ${status}")
endif()
if(EXISTS ${expected})
  file(READ ${expected} wanted)
  if(NOT output STREQUAL wanted)
    message(FATAL_ERROR "the output above is not that of ${expected}:\n${wanted}")
  endif()
endif()
