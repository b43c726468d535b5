# Toolchain file: whichever Emscripten is on PATH, the distribution's or an emsdk.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${root}/cmake/Modules/Platform/Emscripten.cmake)

# Emscripten 3.1.25 renamed the setting; both give the deep end of the JSON reader room enough.
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.25)
  set(PODWRIGHT_WASM_STACK -sTOTAL_STACK=1MB)
else()
  set(PODWRIGHT_WASM_STACK -sSTACK_SIZE=1MB)
endif()
