# One helper for libraries and one for programs; what a folder may use is read from docs/layers.txt, so an illegal
# link fails here as an illegal include fails in test/repo.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/layers.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/docs/layers.txt SCHED_LAYERS REGEX "^[a-z]")

function(sched_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror -Wnon-virtual-dtor -Wsuggest-override
                         -Wshadow -Wconversion)
  # g++ 12 sees overlapping copies in std::string's own operator+ (GCC bug 105651, mended in 13).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  # clang sees libstdc++'s own std::stable_sort use what C++17 calls deprecated; g++, which builds everything too, does not.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
endfunction()

# sched_together(TARGET source …): several sources are compiled as one, since most of a build from nothing would go into reading
# the same headers again and again. Names in their anonymous namespaces must differ within a folder; what two sources of tests
# need stands in a header beside them. Sources that the target gets later are compiled with the others. The tables of arguments,
# which are named alike everywhere, stand alone. The build for lints compiles each source of the libraries by itself, so that
# each includes what it needs.
function(sched_together target)
  if(NOT BATHOLITH_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  list(FILTER ARGN INCLUDE REGEX "(^|/)options[.]cc$")
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # Types of an anonymous namespace are fields of classes that no other source sees.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# sched_precompile(TARGET library …): in the clang build for fuzzing, which is made from nothing in CI, most of the time would go
# into reading the same headers again and again.
function(sched_precompile target)
  if(NOT BATHOLITH_FUZZ)
    return()
  endif()
  set(headers <algorithm> <functional> <map> <memory> <optional> <set> <string> <string_view> <vector> <fmt/format.h>)
  if("Boost::json" IN_LIST ARGN)
    list(APPEND headers <boost/json.hpp>)
  endif()
  if("framework" IN_LIST ARGN)
    list(APPEND headers ${CMAKE_SOURCE_DIR}/framework/session.h)
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# sched_layer(NAME OUT): the folders that NAME may depend on.
function(sched_layer name out)
  foreach(line IN LISTS SCHED_LAYERS)
    if(line MATCHES "^${name} *:([^|]*)")
      string(REGEX MATCHALL "[a-z_/]+" allowed "${CMAKE_MATCH_1}")
      set(${out} "${allowed}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${name} has no line in docs/layers.txt")
endfunction()

# sched_library(NAME [EXCLUDE file …] [DEPS folder …] [LIBS third-party target …])
# The library of one folder, from NAME/*.cc and NAME/*/*.cc but those of a folder that has a line of its own. The target has
# the folder's name with _ for /. A folder without sources gives a library without code.
function(sched_library folder)
  cmake_parse_arguments(ARG "" "" "EXCLUDE;DEPS;LIBS" ${ARGN})
  sched_layer(${folder} allowed)
  foreach(dep IN LISTS ARG_DEPS)
    if(NOT dep IN_LIST allowed)
      message(FATAL_ERROR "${folder} must not depend on ${dep}: docs/layers.txt allows ${allowed}")
    endif()
  endforeach()
  string(REPLACE "/" "_" name ${folder})
  string(REPLACE "/" "_" deps "${ARG_DEPS}")
  file(GLOB sources RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${folder}/*.cc ${folder}/*/*.cc)
  foreach(line IN LISTS SCHED_LAYERS)
    if(line MATCHES "^(${folder}/[a-z_/]+)")
      list(FILTER sources EXCLUDE REGEX "^${CMAKE_MATCH_1}/")
    endif()
  endforeach()
  if(ARG_EXCLUDE)
    list(REMOVE_ITEM sources ${ARG_EXCLUDE})
  endif()
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${deps} ${ARG_LIBS})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${deps} ${ARG_LIBS})
  sched_warnings(${name})
  sched_together(${name} ${sources})
  sched_precompile(${name} ${deps} ${ARG_LIBS})
endfunction()

# sched_program(NAME source …): a program at the top of the build folder, where its first source exists.
function(sched_program name main)
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${main})
    return()
  endif()
  add_executable(${name} ${main} ${ARGN})
  target_link_libraries(${name} PRIVATE cmd)
  sched_warnings(${name})
endfunction()
