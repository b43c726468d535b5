# Rooms: one folder, one target.

# podwright_room(name DEPS room...)
#
# Makes the folder core/<name> the library podwright_<name> (an interface library while it holds no .cc file). DEPS are
# the rooms that it may include; tests/house holds the code to them. A room without a folder is left out.
function(podwright_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS")
  if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/core/${name})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/${name}/*.cc
       ${PROJECT_SOURCE_DIR}/core/${name}/*/*.cc)

  set(target podwright_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_compile_options(${target} PRIVATE ${PODWRIGHT_WARNINGS} -fno-exceptions)
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/core)
  foreach(dependency IN LISTS arg_DEPS)
    if(TARGET podwright_${dependency})
      target_link_libraries(${target} ${scope} podwright_${dependency})
    endif()
  endforeach()
endfunction()

# podwright_test_room(name LINK room DATA folder...)
#
# Makes tests/<name>/*_test.cc the executable tests_<name>, linked to the library of `room` and run as one test. The
# files below the DATA folders of tests/<name> are compiled in and read by podwright_test_data(): paths are relative to
# the one folder, or to tests/<name> when there are several. Left out while there is no such room.
function(podwright_test_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LINK" "DATA")
  set(folder ${PROJECT_SOURCE_DIR}/tests/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cc)
  if(NOT TARGET podwright_${arg_LINK})
    return()
  endif()
  file(GLOB helpers CONFIGURE_DEPENDS ${folder}/*.cc)
  list(FILTER helpers EXCLUDE REGEX "_(test|main)\\.cc$")

  set(target tests_${name})
  add_executable(${target} ${sources} ${helpers})
  target_compile_options(${target} PRIVATE ${PODWRIGHT_WARNINGS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE podwright_${arg_LINK} podwright_test_support podwright_json GTest::gtest_main)

  set(root ${folder})
  list(LENGTH arg_DATA folders)
  if(folders EQUAL 1)
    set(root ${folder}/${arg_DATA})
  endif()
  set(data "")
  foreach(part IN LISTS arg_DATA)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/${part}/*)
    list(APPEND data ${files})
  endforeach()
  if(data)
    podwright_embed_text(${target} ROOT ${root} FILES ${data} HEADER support/test_data.h TYPE TestFile
                         FUNCTION podwright_test_files)
  endif()

  if(EMSCRIPTEN)
    target_link_options(${target} PRIVATE ${PODWRIGHT_WASM_TEST_LINK_OPTIONS})
  endif()
  add_test(NAME ${target} COMMAND ${target})
endfunction()
