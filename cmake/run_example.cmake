# cmake -D program=FILE -D expected=FILE -P run_example.cmake
# The expected file is read now, not at configure time, so it may come and go.
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
