# Directory scope: everything of ours below, nothing of a project that includes us.
if(KITH_SANITIZE)
  add_compile_options(
    -fsanitize=${KITH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${KITH_SANITIZE})
  # KITH_SANITIZED: tests do less where everything is ten times slower.
  add_compile_definitions(_GLIBCXX_ASSERTIONS KITH_SANITIZED)
endif()
