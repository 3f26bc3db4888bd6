// Asio with concrete executor types: every socket, timer and coroutine here belongs to the io_context of one loop.
// Included by the few files that touch sockets; the library itself is compiled once, in asio_library.cpp.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace tessera::http {

namespace asio = boost::asio;

using Executor = asio::io_context::executor_type;
using Tcp = asio::ip::tcp;
using Socket = asio::basic_stream_socket<Tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

template <typename T>
using Task = asio::awaitable<T, Executor>;

inline constexpr asio::use_awaitable_t<Executor> awaited{};
inline constexpr auto awaited_result = asio::as_tuple(awaited);

}  // namespace tessera::http
