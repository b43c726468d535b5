# The core in one static library with a header for C and C++: Podwright::podwright of find_package, `podwright` of
# pkg-config.

add_library(podwright_c OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/library/podwright.cc)
target_compile_options(podwright_c PRIVATE ${PODWRIGHT_WARNINGS})
target_include_directories(podwright_c PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/library)
target_link_libraries(podwright_c PRIVATE podwright_api)

# The objects of all rooms, so that what is installed is one file that needs no other.
set(objects $<TARGET_OBJECTS:podwright_c> $<TARGET_OBJECTS:podwright_api>)
get_target_property(behind podwright_api PODWRIGHT_ROOMS_BEHIND)
foreach(room IN LISTS behind)
  get_target_property(type ${room} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND objects $<TARGET_OBJECTS:${room}>)
  endif()
endforeach()
add_library(podwright_library STATIC ${objects})
set_target_properties(podwright_library PROPERTIES OUTPUT_NAME podwright EXPORT_NAME podwright LINKER_LANGUAGE CXX)
target_include_directories(podwright_library INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/library>
                                                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# The header has std::string_view.
target_compile_features(podwright_library INTERFACE cxx_std_17)
