# Header-only libraries of the core, as two targets: podwright_expected and podwright_json.
#
# Under Emscripten the system include folder must stay out (it brings the headers of glibc), so one folder in the build
# tree holds links to just these two libraries.

add_library(podwright_expected INTERFACE)
add_library(podwright_json INTERFACE)

if(EMSCRIPTEN)
  set(staged ${PROJECT_BINARY_DIR}/third_party)
  file(MAKE_DIRECTORY ${staged})
  foreach(header nlohmann/json.hpp tl/expected.hpp)
    string(MAKE_C_IDENTIFIER "PODWRIGHT_FOLDER_OF_${header}" variable)
    find_path(${variable} ${header} PATHS /usr/local/include /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    cmake_path(GET header PARENT_PATH folder)
    file(CREATE_LINK ${${variable}}/${folder} ${staged}/${folder} SYMBOLIC)
  endforeach()
  target_include_directories(podwright_expected SYSTEM INTERFACE ${staged})
  target_include_directories(podwright_json SYSTEM INTERFACE ${staged})
else()
  find_package(tl-expected REQUIRED)
  find_package(nlohmann_json REQUIRED)
  target_link_libraries(podwright_expected INTERFACE tl::expected)
  target_link_libraries(podwright_json INTERFACE nlohmann_json::nlohmann_json)
endif()
