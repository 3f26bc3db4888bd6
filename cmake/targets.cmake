# tessera_folder(NAME SOURCES … USES folders … LINKS third-party … EXPOSES third-party …)
#
# Makes the library of src/NAME; its headers are included as "NAME/header.hpp". NAME may be a room of a folder, as
# http/message.
#   USES     the folders and rooms this one may include: its whole list of allowed arrows. Arrows are not inherited:
#            a folder that is not listed can't be included, even when something listed uses it.
#   LINKS    libraries used inside the folder only.
#   EXPOSES  libraries whose types appear in the folder's headers.
function(tessera_folder name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS;EXPOSES" ${ARGN})
  string(REPLACE "/" "_" word ${name})
  set(target tessera_${word})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(tessera::${word} ALIAS ${target})

  # An include root that holds this folder alone.
  set(root ${CMAKE_BINARY_DIR}/include/${target})
  cmake_path(GET name PARENT_PATH house)
  file(MAKE_DIRECTORY ${root}/${house})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  target_include_directories(${target} PUBLIC ${root})

  target_link_libraries(${target} PRIVATE tessera_flags ${ARG_LINKS} PUBLIC ${ARG_EXPOSES})
  foreach(used IN LISTS ARG_USES)
    string(REPLACE "/" "_" used ${used})
    target_link_libraries(${target} PRIVATE tessera::${used})
  endforeach()
  if(TESSERA_PRECOMPILED_HEADERS)
    set(headers tessera_headers)
    set(with_json ${ARG_LINKS} ${ARG_EXPOSES} ${ARG_USES})
    if("Boost::json" IN_LIST with_json OR "operations" IN_LIST with_json)  # operations has JSON in its headers
      set(headers tessera_json_headers)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${headers})
    # GCC 12 forgets that headers read beforehand are the system's, and warns falsely of strings in them.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>)
  endif()
endfunction()

# tessera_rooms(NAME rooms…): the folder is its rooms, each a library below it, named from the ground up. Who uses
# NAME may include from all of them.
function(tessera_rooms name)
  add_library(tessera_${name} INTERFACE)
  add_library(tessera::${name} ALIAS tessera_${name})
  foreach(room IN LISTS ARGN)
    add_subdirectory(${room})
    target_link_libraries(tessera_${name} INTERFACE tessera::${name}_${room})
  endforeach()
endfunction()

# tessera_pixel_loops(SOURCES…): loops over pixels are vectorised. They know nothing of threads, and TSan would take
# minutes to watch them.
function(tessera_pixel_loops)
  set(options -O3)
  if(TESSERA_SANITIZE STREQUAL thread)
    list(APPEND options -fno-sanitize=thread)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# When a test counts as hung. Not a bound on its speed: it must hold on a small machine that does much else.
set(TESSERA_TEST_TIMEOUT 600)
if(TESSERA_SANITIZE)
  set(TESSERA_TEST_TIMEOUT 1200)
endif()

# How tests are compiled, and so their headers.
set(TESSERA_TEST_OPTIONS -O0 -U_FORTIFY_SOURCE)

# tessera_test_program(NAME SOURCES … USES folders … [LINKS …]) makes a GoogleTest program; how its cases are run is told apart.
function(tessera_test_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)  # "support/header.hpp"
  foreach(used IN LISTS ARG_USES)
    string(REPLACE "/" "_" used ${used})
    target_link_libraries(${name} PRIVATE tessera::${used})
  endforeach()
  target_link_libraries(${name} PRIVATE tessera_flags ${ARG_LINKS} Boost::json GTest::gmock GTest::gtest_main)
  add_dependencies(test_programs ${name})
  # The tests' own code is not what is measured: compile it fast, and read the headers of most of them once for all.
  target_compile_options(${name} PRIVATE ${TESSERA_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM tessera_test_headers)
endfunction()

# tessera_test(NAME SOURCES … USES folders … [LINKS …]) is such a program, every case of which is a test of its own
# for ctest, labelled with the kind of suite its folder is (unit, contract, …).
function(tessera_test name)
  tessera_test_program(${name} ${ARGN})
  gtest_discover_tests(${name}
    PROPERTIES LABELS "${TESSERA_SUITE}" TIMEOUT ${TESSERA_TEST_TIMEOUT}
    DISCOVERY_TIMEOUT 300)
endfunction()
