// Routes of the operators' interface, and handlers that answer in an operator's name.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>

#include "core/result.hpp"
#include "http/routing/route.hpp"

namespace tessera::http {

// `path` is below /console/api.
Route operator_route(Method method, std::string_view path, std::string operation_id, std::string summary,
                     std::string tag);

// Calls `work` on the pool, in the name of the operator who is signed in, and answers with what it gives.
using OperatorWork = std::function<Result<boost::json::object>(const Request&)>;
Handler answered_by(OperatorWork work, int status = 200);

}  // namespace tessera::http
