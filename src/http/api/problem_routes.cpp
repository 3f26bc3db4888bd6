#include "http/api/problem_routes.hpp"

#include <algorithm>
#include <string>

#include "http/message/problems.hpp"
#include "http/message/status.hpp"

namespace tessera::http {
namespace {

Response explain(const Request& request) {
    const std::string_view wanted = request.parameter("code");
    const auto found =
        std::ranges::find(problems(), wanted, [](const Problem& problem) { return to_string(problem.code); });
    if (found == problems().end()) {
        return Response::from(Error{ErrorCode::not_found, "there is no such code", {}}.with_hint(
            "use a code that an error of this service has; /openapi.json lists them under ErrorCode"));
    }
    const ErrorKind& kind = found->code.kind();
    std::string text(kind.name);
    text.append(" (").append(std::to_string(found->status)).append(" ").append(reason_phrase(found->status));
    text.append(")\n\nWhat happened: ")
        .append(kind.meaning)
        .append(".\nWhat to do: ")
        .append(kind.remedy)
        .append(".\n");
    Response response = Response::bytes("text/plain; charset=utf-8", std::move(text));
    response.add("Cache-Control", "public, max-age=3600");
    return response;
}

}  // namespace

std::vector<Route> problem_routes() {
    Route route;
    route.pattern = "/problems/{code}";
    route.operation_id = "getProblem";
    route.summary = "Read what a code of an error means and what to do about it";
    route.tag = "operations";
    route.answers = {{200, "In plain words", "", {"text/plain"}, {"Cache-Control"}}};
    route.failures = {404};
    route.handler = on_loop(explain);
    return {route};
}

}  // namespace tessera::http
