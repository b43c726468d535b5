# What `cmake --install` puts where: components `program`, `library`, `site` and `gpu`. docs/packages.md describes them.
include(CMakePackageConfigHelpers)

set(made ${PROJECT_BINARY_DIR}/installed)

# The program that needs no shared library, where one can be linked; without its symbols.
set(program podwright)
if(TARGET podwright_static)
  set(program podwright_static)
endif()
find_program(PODWRIGHT_GZIP gzip REQUIRED)
add_custom_command(
  OUTPUT ${made}/podwright
  COMMAND ${CMAKE_STRIP} --strip-all -o ${made}/podwright $<TARGET_FILE:${program}>
  DEPENDS ${program}
  VERBATIM)
set(texts "")
foreach(form IN ITEMS bash zsh fish man)
  add_custom_command(OUTPUT ${made}/${form} COMMAND podwright describe ${form} > ${made}/${form} DEPENDS podwright VERBATIM)
  list(APPEND texts ${made}/${form})
endforeach()
add_custom_command(OUTPUT ${made}/podwright.1.gz COMMAND ${PODWRIGHT_GZIP} -9nc ${made}/man > ${made}/podwright.1.gz
                   DEPENDS ${made}/man VERBATIM)
add_custom_target(installable ALL DEPENDS ${made}/podwright ${made}/podwright.1.gz ${texts} podwright_library)
file(MAKE_DIRECTORY ${made})

install(PROGRAMS ${made}/podwright TYPE BIN COMPONENT program)
install(FILES ${made}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME podwright
        COMPONENT program)
install(FILES ${made}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _podwright COMPONENT program)
install(FILES ${made}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME podwright.fish
        COMPONENT program)
install(FILES ${made}/podwright.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples TYPE DOC COMPONENT program PATTERN cpp EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ TYPE DOC COMPONENT program FILES_MATCHING PATTERN *.md PATTERN pictures EXCLUDE)
set(deploy ${CMAKE_CURRENT_SOURCE_DIR}/probes/deploy)
file(GLOB scripts CONFIGURE_DEPENDS ${deploy}/*.sh ${deploy}/*.sbatch)
install(DIRECTORY ${deploy} DESTINATION ${CMAKE_INSTALL_DATADIR}/podwright COMPONENT program
        PATTERN *.sh EXCLUDE PATTERN *.sbatch EXCLUDE)
install(PROGRAMS ${scripts} DESTINATION ${CMAKE_INSTALL_DATADIR}/podwright/deploy COMPONENT program)

# Where ./dev build leaves it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/site DESTINATION ${CMAKE_INSTALL_DATADIR}/podwright COMPONENT site OPTIONAL)

# The program with the kernels, where `./dev build --cuda` leaves it; `podwright probe` starts it from its own folder.
set(PODWRIGHT_GPU_PROGRAM ${PROJECT_SOURCE_DIR}/build/cuda/podwright-gpu)
install(PROGRAMS ${PODWRIGHT_GPU_PROGRAM} TYPE BIN COMPONENT gpu OPTIONAL)
install(CODE "
  set(gpu_program \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/podwright-gpu\")
  if(EXISTS \"\${gpu_program}\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-all \"\${gpu_program}\" COMMAND_ERROR_IS_FATAL ANY)
  endif()" COMPONENT gpu)

set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/Podwright)
install(TARGETS podwright_library EXPORT PodwrightTargets ARCHIVE COMPONENT library)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/library/podwright/podwright.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/podwright COMPONENT library)
install(EXPORT PodwrightTargets NAMESPACE Podwright:: DESTINATION ${folder} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/library/PodwrightConfig.cmake.in ${made}/PodwrightConfig.cmake
                              INSTALL_DESTINATION ${folder} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change what an older program asks.
write_basic_package_version_file(${made}/PodwrightConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${made}/PodwrightConfig.cmake ${made}/PodwrightConfigVersion.cmake DESTINATION ${folder} COMPONENT library)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE PODWRIGHT_PREFIX_FROM_PC)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/library/podwright.pc.in ${made}/podwright.pc @ONLY)
install(FILES ${made}/podwright.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/cpp DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libpodwright-dev/examples
        COMPONENT library)
