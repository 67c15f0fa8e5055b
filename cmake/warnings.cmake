# A target of kith that links kith_warnings is compiled with these warnings.
add_library(kith_warnings INTERFACE)
target_compile_options(kith_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  # -Wconversion includes sign conversions in clang, but not in gcc.
  $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-sign-conversion>
  # gcc 12 warns of overlapping copies in "text" + std::string that do not overlap (bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${KITH_WERROR}>:-Werror>)
