#include "http/operators/session_routes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "http/message/problems.hpp"
#include "http/operators/cookie.hpp"
#include "http/operators/json_body.hpp"
#include "http/operators/route.hpp"
#include "service/operators/acting.hpp"
#include "service/operators/sessions.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;
using service::OperatorSession;
using service::OperatorSessions;
using service::RateSubject;

json::object shown(const OperatorSession& session, bool is_current) {
    return {{"id", session.id.to_string()},
            {"operator", json::object{{"id", session.operator_id.to_string()}, {"name", session.operator_name}}},
            {"created_at", to_iso8601(session.created_at)},
            {"last_used_at", to_iso8601(session.last_used_at)},
            {"expires_at", to_iso8601(session.expires_at)},
            {"idle_expires_at", to_iso8601(session.idle_expires_at)},
            {"address", session.address},
            {"user_agent", session.user_agent},
            {"current", is_current}};
}

Response invalid_credentials() {
    return Response::from({ConsoleError::invalid_credentials, "wrong name or password", {}});
}

Response signed_in(const Request& request, const service::SignedIn& done) {
    Response response = Response::json(json::serialize(shown(done.session, true)), 201);
    const auto lifetime = std::chrono::ceil<std::chrono::seconds>(done.session.expires_at - done.session.created_at);
    response.add("Set-Cookie", set_session_cookie(request, done.token, lifetime));
    return response;
}

// The password is compared elsewhere, and no thread of the server waits for it.
void sign_in(OperatorSessions& sessions, const Request& request, const Held& answer) {
    const auto body = JsonBody::parse(request, {"name", "password"});
    if (!body) return answer(Response::from(body.error()));
    auto name = body->text("name");
    if (!name) return answer(Response::from(std::move(name).error()));
    auto password = body->text("password");
    if (!password) return answer(Response::from(std::move(password).error()));
    sessions.sign_in({.name = std::move(*name),
                      .password = std::move(*password),
                      .address = std::string(request.client_ip),
                      .user_agent = std::string(request.header("User-Agent").value_or(std::string_view())),
                      .client = RateSubject::ipv6(request.client_address)},
                     [&request, answer](Result<std::optional<service::SignedIn>> done) {
                         if (!done) return answer(Response::from(std::move(done).error()));
                         answer(*done ? signed_in(request, **done) : invalid_credentials());
                     });
}

void change_password(OperatorSessions& sessions, const Request& request, const Held& answer) {
    const auto body = JsonBody::parse(request, {"current_password", "new_password"});
    if (!body) return answer(Response::from(body.error()));
    auto current = body->text("current_password");
    if (!current) return answer(Response::from(std::move(current).error()));
    auto wanted = body->text("new_password");
    if (!wanted) return answer(Response::from(std::move(wanted).error()));
    sessions.change_password({.session = request.session,
                              .current_password = std::move(*current),
                              .new_password = std::move(*wanted),
                              .client = RateSubject::ipv6(request.client_address)},
                             [answer](Result<bool> done) {
                                 if (!done) return answer(Response::from(std::move(done).error()));
                                 answer(*done ? Response::empty(204) : invalid_credentials());
                             });
}

Response list(OperatorSessions& sessions, const Request& request) {
    const auto found = sessions.list(*request.session);
    if (!found) return Response::from(found.error());
    json::array all;
    for (const OperatorSession& one : *found) all.push_back(shown(one, one.id == request.session->id));
    return Response::json(json::serialize(json::object{{"sessions", std::move(all)}}));
}

// Ends sessions in the operator's name.
template <typename End>
Response ended(const Request& request, bool this_one, End end) {
    std::optional<Response> refusal;
    service::as_operator(request.session->operator_name, [&] { refusal = end(); });
    if (refusal) return std::move(*refusal);
    Response response = Response::empty(204);
    if (this_one) response.add("Set-Cookie", drop_session_cookie(request));
    return response;
}

Response end_one(OperatorSessions& sessions, const Request& request, const Uuid& id) {
    return ended(request, id == request.session->id, [&]() -> std::optional<Response> {
        const auto done = sessions.end(*request.session, id);
        if (!done) return Response::from(done.error());
        if (*done) return std::nullopt;
        return Response::from(Error{ErrorCode::not_found, "session not found", {}}.with_hint("it may be over already"));
    });
}

Response end_all(OperatorSessions& sessions, const Request& request) {
    return ended(request, true, [&]() -> std::optional<Response> {
        const auto done = sessions.end_all(*request.session);
        if (!done) return Response::from(done.error());
        return std::nullopt;
    });
}

// The work begins on the loop and is answered from elsewhere.
Handler held(Hold hold) {
    Handler handler;
    handler.hold = std::move(hold);
    handler.on_pool = [](const Request&) { return Response::from(internal_error("a held request was let go")); };
    handler.max_body_bytes = max_console_body_bytes;
    return handler;
}

Route sign_in_route(OperatorSessions& sessions) {
    Route route = operator_route(Method::post, "/session", "signIn", "Sign in with a name and a password", "session");
    route.auth = Auth::operator_password;
    route.request_body = BodyDoc{"application/json", "SignIn"};
    route.answers = {{201, "Signed in; the cookie is set", "Session", {"application/json"}, {"Set-Cookie"}}};
    route.failures = {400, 401, 429, 503};
    route.handler =
        held([&sessions](const Request& request, const Held& answer) { sign_in(sessions, request, answer); });
    return route;
}

Route password_route(OperatorSessions& sessions) {
    Route route = operator_route(Method::put, "/password", "changePassword",
                                 "Change one's own password; every other session ends", "session");
    route.request_body = BodyDoc{"application/json", "PasswordChange"};
    route.answers = {{204, "Changed", "", {}}};
    route.failures = {400, 429, 503};
    route.handler =
        held([&sessions](const Request& request, const Held& answer) { change_password(sessions, request, answer); });
    return route;
}

Route plain_route(Method method, std::string_view path, std::string operation_id, std::string summary, Answer answer,
                  Respond respond) {
    Route route = operator_route(method, path, std::move(operation_id), std::move(summary), "session");
    route.answers = {std::move(answer)};
    route.failures = {503};
    route.handler = on_pool(std::move(respond));
    return route;
}

}  // namespace

std::vector<Route> session_routes(OperatorSessions& sessions) {
    std::vector<Route> routes;
    routes.push_back(sign_in_route(sessions));
    routes.push_back(plain_route(
        Method::get, "/session", "getSession", "Read the session that asks", {200, "The session", "Session"},
        [](const Request& request) { return Response::json(json::serialize(shown(*request.session, true))); }));
    routes.push_back(
        plain_route(Method::delete_, "/session", "signOut", "Sign out", {204, "Signed out", "", {}},
                    [&sessions](const Request& request) { return end_one(sessions, request, request.session->id); }));
    routes.push_back(plain_route(Method::get, "/sessions", "listSessions", "List one's own sessions, newest first",
                                 {200, "Those that live", "SessionList"},
                                 [&sessions](const Request& request) { return list(sessions, request); }));
    routes.push_back(plain_route(Method::delete_, "/sessions", "signOutEverywhere", "Sign out everywhere, here too",
                                 {204, "Signed out", "", {}},
                                 [&sessions](const Request& request) { return end_all(sessions, request); }));
    Route one = plain_route(Method::delete_, "/sessions/{id}", "endSession", "End one of one's own sessions",
                            {204, "Ended", "", {}}, [&sessions](const Request& request) {
                                const auto id = Uuid::parse(request.parameter("id"));
                                if (!id) return Response::from({ErrorCode::invalid_id, "invalid session id", {}});
                                return end_one(sessions, request, *id);
                            });
    one.failures = {400, 404, 503};
    routes.push_back(std::move(one));
    routes.push_back(password_route(sessions));
    return routes;
}

}  // namespace tessera::http
