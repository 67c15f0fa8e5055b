# kith_warnings: link it to a target of ours to compile that target with our warnings.
add_library(kith_warnings INTERFACE)
target_compile_options(kith_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  # clang counts sign conversions as part of -Wconversion, gcc does not
  $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-sign-conversion>
  # gcc 12 sees overlapping copies in "text" + std::string that are none (its bug 105651)
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${KITH_WERROR}>:-Werror>)
