# The probes: runner, processors and scripted devices in one library.

set(probes ${CMAKE_CURRENT_SOURCE_DIR}/probes)
file(GLOB sources CONFIGURE_DEPENDS ${probes}/*.cc ${probes}/cpu/*.cc ${probes}/fake/*.cc ${probes}/cluster/*.cc)
add_library(podwright_probes STATIC ${sources})
target_compile_options(podwright_probes PRIVATE ${PODWRIGHT_WARNINGS})
target_include_directories(podwright_probes PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(podwright_probes PUBLIC podwright_measure PRIVATE Threads::Threads ${CMAKE_DL_LIBS})

# One file for each vector width; which one runs is decided at run time. A product of these need not agree bit for bit
# between machines, so that multiplication and addition may be one instruction.
set(product_options -O3)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${probes}/cpu/gemm_avx2.cc PROPERTIES COMPILE_OPTIONS
                              "${product_options};-ffp-contract=fast;-mavx2;-mfma")
  set_source_files_properties(${probes}/cpu/gemm_avx512.cc PROPERTIES COMPILE_OPTIONS
                              "${product_options};-ffp-contract=fast;-mavx512f;-mfma;-mprefer-vector-width=512")
endif()
set_source_files_properties(${probes}/cpu/gemm_plain.cc PROPERTIES COMPILE_OPTIONS
                            "${product_options};-ffp-contract=fast")
set_source_files_properties(${probes}/cpu/stream.cc PROPERTIES COMPILE_OPTIONS "-O3")
