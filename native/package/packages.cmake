# DEB and RPM: podwright, the library for developers and, where they were built, the site and the program with kernels.
#
#   cmake --build --preset native --target package_files && cpack --config build/native/CPackConfig.cmake -G DEB
#
# Components named ..._notices and ..._debian hold what package_texts.py writes; only packages take them.
set(PODWRIGHT_PACKAGE_CONTACT "Podwright developers <podwright@example.org>" CACHE STRING
    "Maintainer of packages: name <address>")
set(texts ${PROJECT_BINARY_DIR}/packages)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_target(
  package_files
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/package/package_texts.py ${PROJECT_BINARY_DIR} ${program}
          ${PROJECT_VERSION} ${PODWRIGHT_PACKAGE_CONTACT} ${texts}
  DEPENDS installable
  VERBATIM)

set(CPACK_PACKAGE_NAME podwright)
set(CPACK_PACKAGE_VENDOR Podwright)
set(CPACK_PACKAGE_CONTACT ${PODWRIGHT_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "planner for running language models on NVIDIA hardware")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/package/generator.cmake)
set(CPACK_PODWRIGHT_SITE ${PROJECT_SOURCE_DIR}/build/site/index.html)
set(CPACK_PODWRIGHT_GPU ${PODWRIGHT_GPU_PROGRAM})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_GROUP "Applications/Engineering")
# A program without shared libraries needs no other package, and nobody debugs it by links to its build.
set(CPACK_RPM_PACKAGE_AUTOREQ OFF)
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none")
# Only the files below are theirs, not the folders of the system.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr /usr/bin /usr/include /usr/lib /usr/lib/cmake /usr/lib/pkgconfig /usr/share /usr/share/doc /usr/share/man
    /usr/share/man/man1 /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/zsh
    /usr/share/zsh/site-functions /usr/share/fish /usr/share/fish/vendor_completions.d)

# package(component NAME name RPM_NAME name SECTION section DEPENDS text RPM_DEPENDS text SUGGESTS text SUMMARY text
#         DESCRIPTION text)
macro(package component)
  cmake_parse_arguments(arg "" "NAME;RPM_NAME;SECTION;DEPENDS;RPM_DEPENDS;SUGGESTS;SUMMARY;DESCRIPTION;ARCHITECTURE" "" ${ARGN})
  string(TOUPPER ${component} group)
  foreach(part IN ITEMS notices debian)
    install(DIRECTORY ${texts}/${component}_${part}/ DESTINATION . COMPONENT ${component}_${part} EXCLUDE_FROM_ALL
            OPTIONAL)
    set(CPACK_COMPONENT_${group}_${part}_GROUP ${component})
    string(TOUPPER ${part} part)
    set(CPACK_COMPONENT_${group}_${part}_GROUP ${component})
  endforeach()
  set(CPACK_COMPONENT_${group}_GROUP ${component})
  set(CPACK_COMPONENT_GROUP_${group}_DESCRIPTION "${arg_SUMMARY}\n${arg_DESCRIPTION}")
  set(CPACK_DEBIAN_${group}_PACKAGE_NAME ${arg_NAME})
  set(CPACK_DEBIAN_${group}_PACKAGE_SECTION ${arg_SECTION})
  set(CPACK_DEBIAN_${group}_PACKAGE_DEPENDS "${arg_DEPENDS}")
  set(CPACK_DEBIAN_${group}_PACKAGE_SUGGESTS "${arg_SUGGESTS}")
  set(CPACK_DEBIAN_${group}_DESCRIPTION "${arg_SUMMARY}\n${arg_DESCRIPTION}")
  set(CPACK_RPM_${group}_PACKAGE_NAME ${arg_RPM_NAME})
  set(CPACK_RPM_${group}_PACKAGE_REQUIRES "${arg_RPM_DEPENDS}")
  set(CPACK_RPM_${group}_PACKAGE_SUMMARY "${arg_SUMMARY}")
  set(CPACK_RPM_${group}_PACKAGE_DESCRIPTION "${arg_DESCRIPTION}")
  if(arg_ARCHITECTURE)
    set(CPACK_DEBIAN_${group}_PACKAGE_ARCHITECTURE ${arg_ARCHITECTURE})
    set(CPACK_RPM_${group}_PACKAGE_ARCHITECTURE noarch)
  endif()
endmacro()

package(program
  NAME podwright RPM_NAME podwright SECTION science SUGGESTS podwright-site
  SUMMARY "what to buy or rent to run language models on NVIDIA hardware"
  DESCRIPTION "Podwright says what to buy or rent to run language models on NVIDIA
hardware, how to lay the work out on it, how fast it will be and what it will
cost, with the equation, the inputs and the sources of each number. The program
needs no shared library and no network.")
string(REGEX MATCH "^[0-9]+" compiler "${CMAKE_CXX_COMPILER_VERSION}")
package(library
  NAME libpodwright-dev RPM_NAME podwright-devel SECTION libdevel
  DEPENDS "libstdc++-${compiler}-dev | libstdc++-dev" SUGGESTS podwright
  SUMMARY "planner for running language models (static library)"
  DESCRIPTION "Podwright plans hardware for language models. This package has the static
library, its header for C and C++, and the files for find_package of CMake and
for pkg-config.")
package(site
  NAME podwright-site RPM_NAME podwright-site SECTION science ARCHITECTURE all SUGGESTS podwright
  SUMMARY "planner for running language models (static site)"
  DESCRIPTION "Podwright plans hardware for language models. This package has the site, which
computes everything in the browser. The program 'podwright serve' shows it, as
does any static web server.")
# It holds a part of the CUDA toolkit, which is not free.
package(gpu
  NAME podwright-gpu RPM_NAME podwright-gpu SECTION non-free/science
  DEPENDS "podwright (= ${PROJECT_VERSION}-1), libc6 (>= 2.34)"
  RPM_DEPENDS "podwright = ${PROJECT_VERSION}, glibc >= 2.34"
  SUMMARY "planner for running language models (probes of GPUs)"
  DESCRIPTION "Podwright plans hardware for language models. This package has the program
with which 'podwright probe' measures GPUs. It needs the driver of NVIDIA, and
takes cuBLASLt and NCCL where they are installed.")

include(CPack)
