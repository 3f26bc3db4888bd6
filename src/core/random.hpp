// Bytes from the kernel's generator, buffered per thread so that an id costs no system call of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tessera {

void fill_random(std::span<std::uint8_t> out);

// `length` characters of [0-9A-Za-z], each uniform: for keys and secrets.
std::string random_token(std::size_t length);

}  // namespace tessera
