# The fuzz targets tests/fuzz/*_fuzz.cc as programs of libFuzzer where PODWRIGHT_FUZZ asks for them, and in every native
# build as fuzz_replay, which reads files of the corpus.

file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_fuzz.cc)

# What reads the words of the command line, without the programs' main().
set(cli ${PROJECT_SOURCE_DIR}/native/cli)
set(readers command.cc request_flags.cc request_fields.cc request_path.cc model_files.cc common.cc output.cc text_table.cc)
list(TRANSFORM readers PREPEND ${cli}/)
find_package(CLI11 REQUIRED)
add_library(podwright_words STATIC ${readers})
target_compile_options(podwright_words PRIVATE ${PODWRIGHT_WARNINGS} ${PODWRIGHT_TEST_OPTIONS})
target_include_directories(podwright_words PUBLIC ${PROJECT_SOURCE_DIR}/native)
target_link_libraries(podwright_words PUBLIC podwright_api podwright_files CLI11::CLI11)
podwright_embed_text(podwright_words ROOT ${cli}/data FILES ${cli}/data/flags.csv HEADER cli/carried_files.h
                     TYPE EmbeddedText FUNCTION podwright::cli::data_files)

function(podwright_fuzz_program name)
  add_executable(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${PODWRIGHT_WARNINGS} ${PODWRIGHT_TEST_OPTIONS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE podwright_words)
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
endfunction()

if(PODWRIGHT_FUZZ)
  add_custom_target(fuzzers)
endif()
set(targets "")
foreach(source IN LISTS fuzzers)
  cmake_path(GET source STEM name)
  string(REGEX REPLACE "_fuzz$" "" word ${name})
  list(APPEND targets ${word})
  if(PODWRIGHT_FUZZ)
    podwright_fuzz_program(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
    add_dependencies(fuzzers ${name})
  endif()
endforeach()

# Each target's function gets a name of its own.
set(declared "")
set(listed "")
foreach(word IN LISTS targets)
  string(APPEND declared "extern \"C\" int ${word}_fuzz(const std::uint8_t* data, std::size_t size);\n")
  string(APPEND listed "    {\"${word}\", ${word}_fuzz},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/fuzz_list/fuzz_targets.h CONTENT [[
#pragma once
#include <cstddef>
#include <cstdint>

@declared@
struct FuzzTarget {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};
inline constexpr FuzzTarget kFuzzTargets[] = {
@listed@};
]] @ONLY)

if(NOT PODWRIGHT_FUZZ)
  podwright_fuzz_program(fuzz_replay ${fuzzers} ${CMAKE_CURRENT_LIST_DIR}/replay_main.cc)
  target_include_directories(fuzz_replay PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/fuzz_list)
  foreach(source word IN ZIP_LISTS fuzzers targets)
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=${word}_fuzz)
  endforeach()
endif()
