// sendmsg and recvmsg with open files along (SCM_RIGHTS).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/file.hpp"

namespace tessera::engine {

inline constexpr std::size_t max_passed_files = 8;

// As sendmsg: how much was sent, or -1 with errno. The files go with the first byte.
ssize_t send_with_files(int socket, std::span<const std::uint8_t> bytes, std::span<const int> files, int flags);

// As recvmsg: how much came, or -1 with errno. Appends the files that came with it, each close-on-exec.
ssize_t receive_with_files(int socket, std::span<std::uint8_t> bytes, std::vector<UniqueFd>& files);

}  // namespace tessera::engine
