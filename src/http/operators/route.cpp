#include "http/operators/route.hpp"

#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "core/plain_numbers.hpp"
#include "http/operators/json_body.hpp"
#include "service/operators/acting.hpp"
#include "service/operators/sessions.hpp"

namespace tessera::http {

Route operator_route(Method method, std::string_view path, std::string operation_id, std::string summary,
                     std::string tag) {
    Route route;
    route.method = method;
    route.pattern = "/console/api" + std::string(path);
    route.operation_id = std::move(operation_id);
    route.summary = std::move(summary);
    route.tag = std::move(tag);
    route.auth = Auth::operator_session;
    if (method != Method::get) route.parameters = {"X-Tessera-Console"};
    return route;
}

Handler answered_by(OperatorWork work, int status) {
    const auto respond = [work = std::move(work), status](const Request& request) {
        std::optional<Result<boost::json::object>> made;
        service::as_operator(request.session->operator_name, [&] { made = work(request); });
        if (!made->ok()) return Response::from(std::move(*made).error());
        return Response::json(with_plain_numbers(boost::json::serialize(**made)), status);
    };
    return on_pool(respond, max_console_body_bytes);
}

}  // namespace tessera::http
