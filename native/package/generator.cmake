# What cpack packs, known when it runs: the site and the program with kernels where they were built; texts of Debian in DEB
# alone.
set(CPACK_COMPONENTS_ALL "")
foreach(component IN ITEMS program library site gpu)
  string(TOUPPER ${component} group)
  if(DEFINED CPACK_PODWRIGHT_${group} AND NOT EXISTS ${CPACK_PODWRIGHT_${group}})
    continue()
  endif()
  list(APPEND CPACK_COMPONENTS_ALL ${component} ${component}_notices)
  if(CPACK_GENERATOR STREQUAL "DEB")
    list(APPEND CPACK_COMPONENTS_ALL ${component}_debian)
  endif()
endforeach()
