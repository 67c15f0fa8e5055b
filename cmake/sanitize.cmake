# These commands have directory scope: they reach all targets of kith and none of a project that
# includes kith with add_subdirectory.
if(KITH_SANITIZE)
  add_compile_options(
    -fsanitize=${KITH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${KITH_SANITIZE})
  # KITH_SANITIZED makes tests do less work, because sanitized code is about ten times slower.
  add_compile_definitions(_GLIBCXX_ASSERTIONS KITH_SANITIZED)
endif()
