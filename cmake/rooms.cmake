# Rooms: one folder, one target; and the programs that test them.

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
    if(EMSCRIPTEN)
      # Compiled several at once, files inline more of each other: the page's engine would be 3 % larger.
      set_target_properties(${target} PROPERTIES UNITY_BUILD OFF
                                                 CXX_COMPILER_LAUNCHER "${PODWRIGHT_LAUNCHER_OF_ONE_FILE}")
    endif()
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/core)
  set(behind "")
  foreach(dependency IN LISTS arg_DEPS)
    if(TARGET podwright_${dependency})
      target_link_libraries(${target} ${scope} podwright_${dependency})
      get_target_property(further podwright_${dependency} PODWRIGHT_ROOMS_BEHIND)
      list(APPEND behind podwright_${dependency} ${further})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES behind)
  set_target_properties(${target} PROPERTIES PODWRIGHT_ROOMS_BEHIND "${behind}")
endfunction()

# podwright_link_first(target room...)
#
# Of an inline function that several files have compiled the linker keeps the copy that it meets first: that of the rooms
# stands before that of the tests, which are not optimised.
function(podwright_link_first target)
  set(rooms ${ARGN})
  foreach(room IN LISTS ARGN)
    get_target_property(behind ${room} PODWRIGHT_ROOMS_BEHIND)
    if(behind)
      list(APPEND rooms ${behind})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  set(files "")
  foreach(room IN LISTS rooms)
    get_target_property(type ${room} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND files $<TARGET_FILE:${room}>)
    endif()
  endforeach()
  target_link_options(${target} PRIVATE LINKER:--whole-archive ${files} LINKER:--no-whole-archive)
endfunction()

# podwright_test_program(name FOLDERS folder... LINK target...)
#
# Makes tests/<folder>/*_test.cc of all FOLDERS, with the helpers beside them, the executable tests_<name>. What
# PODWRIGHT_TEST_DATA_<folder> lists, else all of tests/<folder>/data, is compiled in and read by podwright_test_data()
# under its path from the top of the project.
function(podwright_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;LINK")
  set(target tests_${name})
  add_executable(${target})
  set(data "")
  foreach(folder IN LISTS arg_FOLDERS)
    set(here ${PROJECT_SOURCE_DIR}/tests/${folder})
    file(GLOB sources CONFIGURE_DEPENDS ${here}/*.cc)
    list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
    target_sources(${target} PRIVATE ${sources} ${PODWRIGHT_TEST_SOURCES_${folder}})
    set(parts ${PODWRIGHT_TEST_DATA_${folder}})
    if(NOT parts)
      set(parts tests/${folder}/data)
    endif()
    foreach(part IN LISTS parts)
      file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${part}/*)
      list(APPEND data ${files})
    endforeach()
  endforeach()
  # Tests are run once after each change, so that compiling them counts more than how fast they run.
  target_compile_options(${target} PRIVATE ${PODWRIGHT_WARNINGS} ${PODWRIGHT_TEST_OPTIONS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/native)
  target_link_libraries(${target} PRIVATE ${arg_LINK} podwright_test_support podwright_json GTest::gtest_main)
  target_link_options(${target} PRIVATE ${PODWRIGHT_TEST_LINK_OPTIONS})
  podwright_link_first(${target} ${arg_LINK})
  if(data)
    podwright_embed_text(${target} ROOT ${PROJECT_SOURCE_DIR} FILES ${data} HEADER support/test_data.h TYPE TestFile
                         FUNCTION podwright_test_files)
  endif()

  add_test(NAME ${target} COMMAND ${target})
endfunction()
