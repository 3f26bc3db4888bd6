// Loops over pixels are written plainly for the compiler to vectorise. This makes it do so for the processor that
// the program finds itself on as well as for the oldest one it may meet.
#pragma once

// Sanitizers can't run before the resolver of such a function does, and clang's clones are seen in their own file
// alone.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define TESSERA_VECTORISED
#endif

// Processors of the last ten years add a product without rounding it first, and count or shift bits by any number, in
// one step each.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_FOR_LATER_PROCESSORS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TESSERA_FOR_LATER_PROCESSORS
#endif
// Where every product is to be added without being rounded, as std::fma does: by the C library on older ones.
#define TESSERA_FUSED TESSERA_FOR_LATER_PROCESSORS
// Where bits are read one by one.
#define TESSERA_BITWISE TESSERA_FOR_LATER_PROCESSORS

// What such a function calls in its innermost loop must become part of it.
#define TESSERA_INLINE __attribute__((always_inline)) inline
