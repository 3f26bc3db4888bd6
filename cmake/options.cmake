# Compiler settings shared by every target.
set(TESSERA_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined or thread")

option(TESSERA_FUZZER "Let libFuzzer drive the fuzz targets; needs clang" OFF)

# Sanitizers do without, and so tell of a file that does not include what it uses.
set(TESSERA_PRECOMPILED_HEADERS ON)
if(TESSERA_SANITIZE)
  set(TESSERA_PRECOMPILED_HEADERS OFF)
endif()

set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer")
set(CMAKE_EXE_LINKER_FLAGS_SANITIZE "")

add_library(tessera_flags INTERFACE)
target_compile_options(tessera_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Werror
  -fstack-protector-strong -fstack-clash-protection -fPIE -pthread)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(tessera_flags INTERFACE -fpch-preprocess)  # ccache sees which headers were read beforehand
endif()
# Returns and indirect jumps go where they should, on processors that check it: each has its own way.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64")
  target_compile_options(tessera_flags INTERFACE -fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_options(tessera_flags INTERFACE -mbranch-protection=standard)
endif()
# At -O3, GCC 12 warns falsely of overlaps in "text" + std::move(string).
target_compile_options(tessera_flags INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
target_compile_definitions(tessera_flags INTERFACE $<$<CONFIG:RelWithDebInfo>:_FORTIFY_SOURCE=3>)
# A wrong index and an optional that is empty end the process, instead of reading on.
target_compile_definitions(tessera_flags INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(tessera_flags INTERFACE -pie -Wl,-z,relro,-z,now)

if(TESSERA_SANITIZE)
  # What GCC 12 warns of falsely in instrumented code: optionals that are empty, strings around a setjmp.
  target_compile_options(tessera_flags INTERFACE -fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all
    -Wno-maybe-uninitialized -Wno-clobbered)
  target_link_options(tessera_flags INTERFACE -fsanitize=${TESSERA_SANITIZE})
endif()

if(TESSERA_FUZZER)
  # Warnings are for the release preset and its compiler.
  target_compile_options(tessera_flags INTERFACE -fsanitize=fuzzer-no-link -O2 -Wno-error -Wno-unknown-warning-option)
endif()
