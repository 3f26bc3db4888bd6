// Asio's coroutines, for what takes more than one step. Waiting for sockets is the poller's; an io_context here is a
// loop's list of coroutines that can go on. The library itself is compiled once, in asio_library.cpp.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace tessera::http {

namespace asio = boost::asio;

using Executor = asio::io_context::executor_type;

template <typename T>
using Task = asio::awaitable<T, Executor>;

inline constexpr asio::use_awaitable_t<Executor> awaited{};

}  // namespace tessera::http
