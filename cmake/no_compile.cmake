# Compiles SOURCE with COMPILER, and fails unless that fails with the text of its first line:
# `// error: TEXT`.
file(STRINGS "${SOURCE}" first LIMIT_COUNT 1)
string(REPLACE "// error: " "" expected "${first}")
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-I${INCLUDE}" "${SOURCE}"
  RESULT_VARIABLE result ERROR_VARIABLE printed OUTPUT_QUIET)
string(FIND "${printed}" "${expected}" place)
if(result EQUAL 0)
  message(FATAL_ERROR "it compiles")
elseif(place EQUAL -1)
  message(FATAL_ERROR "no error says '${expected}':\n${printed}")
endif()
