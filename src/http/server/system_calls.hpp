// The system calls that every request makes, without what the C library wraps around them: its functions are points at
// which a thread may be cancelled, which costs two atomic operations each in a process with threads, and nobody cancels
// one here. They answer as those do, with -1 and errno.
#pragma once

#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace tessera::http {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool plainly = false;  // it learns from the library's functions what happens before what
#else
inline constexpr bool plainly = true;
#endif

inline ssize_t receive_now(int socket, std::span<char> space) {
    if constexpr (!plainly) return ::recv(socket, space.data(), space.size(), MSG_DONTWAIT);
    return ::syscall(SYS_recvfrom, socket, space.data(), space.size(), MSG_DONTWAIT, nullptr, nullptr);
}

inline ssize_t send_now(int socket, std::string_view bytes, int flags) {
    flags |= MSG_NOSIGNAL | MSG_DONTWAIT;
    if constexpr (!plainly) return ::send(socket, bytes.data(), bytes.size(), flags);
    return ::syscall(SYS_sendto, socket, bytes.data(), bytes.size(), flags, nullptr, 0);
}

inline ssize_t send_file_now(int socket, int file, off_t offset, std::size_t length) {
    if constexpr (!plainly) return ::sendfile(socket, file, &offset, length);
    return ::syscall(SYS_sendfile, socket, file, &offset, length);
}

inline int wait_for_events(int epoll, std::span<epoll_event> events, int milliseconds) {
    const int most = static_cast<int>(events.size());
    if constexpr (!plainly) return ::epoll_wait(epoll, events.data(), most, milliseconds);
    return static_cast<int>(::syscall(SYS_epoll_pwait, epoll, events.data(), most, milliseconds, nullptr, 8));
}

}  // namespace tessera::http
