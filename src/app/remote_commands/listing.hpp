// Lists of a service, page by page.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <string>

#include "app/remote_commands/session.hpp"

namespace tessera::app {

// Up to `most` items of `path`, whose array is called `name`. `query` begins with & where it is not empty.
boost::json::array listed(RemoteSession& session, const std::string& path, std::string_view name,
                          const std::string& query, std::size_t most);

// An id that is none is refused here: it becomes a part of an address.
std::string id_of(const std::string& typed, std::string_view what);

// 2026-11-16 09:00:12, of the service's time in UTC; empty where there is none.
std::string when(const boost::json::object& object, std::string_view name);

}  // namespace tessera::app
