# What --version tells: the version of project(), and the commit where the source is a checkout (BATHOLITH_COMMIT says it where
# it is not). CMake looks again after each commit.
set(BATHOLITH_COMMIT "" CACHE STRING "commit of the source, where it is no checkout")
set(build_commit "${BATHOLITH_COMMIT}")
find_package(Git QUIET)
if(Git_FOUND AND NOT build_commit)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE build_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${CMAKE_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
                  OUTPUT_VARIABLE build_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${build_log}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${build_log})
  endif()
endif()
set(build_type "${CMAKE_BUILD_TYPE}")
if(BATHOLITH_SANITIZE)
  string(APPEND build_type ", sanitizers ${BATHOLITH_SANITIZE}")
endif()
set_source_files_properties(
  cmd/version.cc
  PROPERTIES COMPILE_DEFINITIONS
             "BATHOLITH_VERSION=\"${PROJECT_VERSION}\";BATHOLITH_COMMIT=\"${build_commit}\";BATHOLITH_BUILD_TYPE=\"${build_type}\";BATHOLITH_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";BATHOLITH_PLATFORM=\"${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}\"")
