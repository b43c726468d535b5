# Compile options that every target shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Files of a room are compiled several at once: most of a compilation is the headers that they share.
# -DCMAKE_UNITY_BUILD=OFF compiles each by itself; `./dev test --all` checks that each can be.
set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile several files of a target at once")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12 CACHE STRING "How many")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are hashed relative to the tree and compilers by what they are, so that another clone of the same sources, or
  # another machine with the same compiler, compiles nothing twice.
  set(cached ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_COMPILERCHECK=content)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${cached} ${CCACHE_PROGRAM})
  # Of a file that is compiled by itself the compiler names the headers, so that it need not be preprocessed first, a
  # fifth of the work with em++. A file that includes several others names them by paths of one clone.
  set(PODWRIGHT_LAUNCHER_OF_ONE_FILE ${cached} CCACHE_DEPEND=1 ${CCACHE_PROGRAM})
endif()

# Formulas are inline in headers, so the rules that make native and WASM agree bit for bit hold for every target.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-fno-math-errno;-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>")

if(PODWRIGHT_SANITIZERS)
  add_compile_options(-fsanitize=${PODWRIGHT_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PODWRIGHT_SANITIZERS})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(PODWRIGHT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(PODWRIGHT_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
if(EMSCRIPTEN)
  # No type is asked for at run time, so that the names of types need not travel; embind is told so.
  add_compile_options(-flto -fno-exceptions "$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>")
  add_compile_definitions(EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
  # With -Os em++ forbids inlining, so that every accessor of a string is a call. What is declared inline may be inlined
  # again, up to about the size of the call itself: searches take half the time and the engine is smaller. Functions with
  # one caller stay whole, because the site loads the engine in two parts (wasm/CMakeLists.txt).
  set(inline_limits -inline-threshold=10 -inlinehint-threshold=10)
  add_compile_options(-finline-hint-functions)
  foreach(limit ${inline_limits})
    add_compile_options("SHELL:-mllvm ${limit}")
    add_link_options(-Wl,-mllvm,${limit})
  endforeach()
endif()

# Warnings of this project's own code. Designated initializers that leave defaulted fields out are the style here.
set(PODWRIGHT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND PODWRIGHT_WARNINGS -Wno-sign-conversion)
else()
  # g++ 12 sees overlaps in its own std::string that are not there (GCC bug 105651). Its -Wsequence-point compares every
  # part of an expression with every other, 7 s for a list of a hundred formulas; clang warns of the same at no cost.
  list(APPEND PODWRIGHT_WARNINGS -Wno-restrict -Wno-sequence-point)
endif()
if(PODWRIGHT_SANITIZERS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The checks that the sanitizers insert look like uses of values not yet set.
  list(APPEND PODWRIGHT_WARNINGS -Wno-maybe-uninitialized)
endif()
