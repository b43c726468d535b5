# The probes: runner, processors and scripted devices in one library; with the CUDA backend where it is asked for.

set(probes ${CMAKE_CURRENT_SOURCE_DIR}/probes)
file(GLOB sources CONFIGURE_DEPENDS ${probes}/*.cc ${probes}/cpu/*.cc ${probes}/fake/*.cc ${probes}/cluster/*.cc)
add_library(podwright_probes STATIC ${sources})
target_compile_options(podwright_probes PRIVATE ${PODWRIGHT_WARNINGS})
target_include_directories(podwright_probes PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(podwright_probes PUBLIC podwright_measure PRIVATE podwright_files Threads::Threads ${CMAKE_DL_LIBS})

# Backends answer the same calls under the same names.
set_source_files_properties(${probes}/cpu/cpu_backend.cc ${probes}/fake/fake_backend.cc PROPERTIES
                            SKIP_UNITY_BUILD_INCLUSION ON)

set_source_files_properties(${probes}/cpu/stream.cc PROPERTIES COMPILE_OPTIONS "-O3")

# ---- CUDA --------------------------------------------------------------------------------------------------------------

if(NOT PODWRIGHT_CUDA)
  return()
endif()
find_program(PODWRIGHT_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin PATHS /usr/local/cuda/bin)
if(NOT PODWRIGHT_NVCC)
  message(STATUS "No nvcc found: probes measure processors only")
  return()
endif()

# Code for each that this toolkit knows, and PTX of the newest for those that come later.
set(PODWRIGHT_CUDA_ARCHITECTURES "75;80;86;89;90;100;103;110;120" CACHE STRING "Compute capabilities with code of their own")
execute_process(COMMAND ${PODWRIGHT_NVCC} --list-gpu-code OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
set(architectures ${PODWRIGHT_CUDA_ARCHITECTURES})
foreach(architecture IN LISTS PODWRIGHT_CUDA_ARCHITECTURES)
  if(NOT known MATCHES "sm_${architecture}\n")
    message(STATUS "CUDA: this nvcc knows no architecture ${architecture}")
    list(REMOVE_ITEM architectures ${architecture})
  endif()
endforeach()
set(CMAKE_CUDA_COMPILER ${PODWRIGHT_NVCC})
if(PODWRIGHT_LAUNCHER_OF_ONE_FILE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${PODWRIGHT_LAUNCHER_OF_ONE_FILE})
endif()
list(TRANSFORM architectures APPEND "-real" OUTPUT_VARIABLE CMAKE_CUDA_ARCHITECTURES)
list(GET architectures -1 newest)
list(APPEND CMAKE_CUDA_ARCHITECTURES ${newest}-virtual)
enable_language(CUDA)
find_package(CUDAToolkit 12.0 REQUIRED)
message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, architectures ${architectures}")

file(GLOB cuda_sources CONFIGURE_DEPENDS ${probes}/cuda/*.cc ${probes}/cuda/*.cu)
add_library(podwright_cuda STATIC ${cuda_sources})
target_compile_options(podwright_cuda PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${PODWRIGHT_WARNINGS}>
                                              $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
target_include_directories(podwright_cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/core)
target_include_directories(podwright_cuda SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
set_target_properties(podwright_cuda PROPERTIES POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE CXX CUDA_STANDARD 17)
# Each calls the other: the probes a backend, which joins groups through them.
target_link_libraries(podwright_cuda PRIVATE podwright_probes CUDA::cudart_static ${CMAKE_DL_LIBS})
target_compile_definitions(podwright_probes PRIVATE PODWRIGHT_CUDA)
target_link_libraries(podwright_probes PRIVATE podwright_cuda)
