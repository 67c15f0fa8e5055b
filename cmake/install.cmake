include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS kith EXPORT kith INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(KITH_BUILD_CLI)
  install(TARGETS kith_cli)
endif()
install(DIRECTORY include/kith DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kith)
install(EXPORT kith NAMESPACE kith:: FILE kithTargets.cmake DESTINATION ${config_dir})
# A program links with what kith was built with.
set(kith_packages "")
set(kith_pc_requires "")
if(KITH_TBB)
  set(kith_packages "include(CMakeFindDependencyMacro)\nfind_dependency(TBB)\n")
  # A shared library brings what it needs by itself.
  set(kith_pc_requires "Requires: tbb")
  if(BUILD_SHARED_LIBS)
    set(kith_pc_requires "Requires.private: tbb")
  endif()
endif()
configure_file(cmake/kithConfig.cmake.in kithConfig.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kithConfig.cmake DESTINATION ${config_dir})

# Before 1.0 a minor version may break the API.
write_basic_package_version_file(kithConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kithConfigVersion.cmake DESTINATION ${config_dir})

# The path from kith.pc up to the prefix, so that an installed tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_to_prefix)
configure_file(cmake/kith.pc.in kith.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kith.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
