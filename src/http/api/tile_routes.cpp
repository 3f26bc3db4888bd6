#include "http/api/tile_routes.hpp"

#include <array>
#include <charconv>

#include "http/api/tile_answers.hpp"
#include "http/message/conditional.hpp"
#include "http/message/origin.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/delivery/tiles.hpp"

namespace tessera::http {
namespace {

service::TileAddress address_of(const Request& request) {
    return {request.parameter("id"), request.parameter("z"), request.parameter("x"), request.parameter("y")};
}

service::TileQuestion keyed_question(const Request& request) {
    return {address_of(request), request.principal->account.id};
}

service::TileSignature signature_of(const Request& request) {
    return {request.parameter("version"), plain_query_parameter(request.query, "expires"),
            plain_query_parameter(request.query, "sig")};
}

service::TileQuestion signed_question(const Request& request) {
    return {address_of(request), std::nullopt, signature_of(request)};
}

void append_cache_control(std::string& headers, std::int64_t seconds_left) {
    std::array<char, 24> number;
    const auto end = std::to_chars(number.data(), number.data() + number.size(), seconds_left).ptr;
    headers += "Cache-Control: public, max-age=";
    headers.append(number.data(), end);
    headers += ", immutable\r\n";
}

constexpr std::size_t room_for_headers = 160;

enum class Reach { account, everyone };

Response respond(const Request& request, service::TileAnswer answer, Reach reach) {
    if (!answer) return Response::from(std::move(answer).error());
    service::Tile& tile = *answer;
    const TileTag tag(tile);
    Response response;
    response.headers.reserve(room_for_headers);
    if (reach == Reach::everyone) {
        append_cache_control(response.headers, tile.seconds_left);
    } else {
        response.headers += "Cache-Control: private, no-cache\r\n";
    }
    response.headers += "ETag: ";
    response.headers += tag.text();
    response.headers += "\r\n";
    if (is_known_to(request, tag.text())) {
        response.status = 304;
        return response;
    }
    response.content_type = media_type(tile.format);
    if (reach == Reach::everyone && request.method == Method::get) {
        tile.delivered->fetch_add(tile.bytes.size(), std::memory_order_relaxed);
    }
    response.body = body_of(tile);
    return response;
}

using QuestionOf = service::TileQuestion (*)(const Request&);

// Asked on the loop, and where that would have to wait, once more on the pool.
Handler tile_handler(service::Tiles& tiles, QuestionOf question_of, Reach reach) {
    return on_loop_else_pool(
        [=, &tiles](const Request& request) -> std::optional<Response> {
            auto answer = tiles.find(question_of(request));
            if (answer.state() == service::AnswerState::must_wait) return std::nullopt;
            return respond(request, std::move(answer), reach);
        },
        [=, &tiles](const Request& request, Held held) {
            tiles.wait_for_turn(question_of(request), [held = std::move(held)](std::optional<Error> error) {
                held(error ? std::optional(Response::from(std::move(*error))) : std::nullopt);
            });
        },
        [=, &tiles](const Request& request) { return respond(request, tiles.load(question_of(request)), reach); });
}

std::vector<Answer> tile_answers() {
    const std::vector<std::string> headers = {"ETag", "Cache-Control"};
    return {{200, "The tile", "", {"image/png", "image/jpeg", "image/webp"}, headers},
            {304, "Not changed since the ETag in If-None-Match", "", {}, headers}};
}

Route account_route(service::Tiles& tiles) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/tilesets/{id}/xyz/{z}/{x}/{y}";
    route.operation_id = "getTile";
    route.summary = "Read a tile of the current version of a tileset";
    route.tag = "tilesets";
    route.auth = Auth::api_key;
    route.permission = Permission::tiles_read;
    route.limit = LimitRule{service::RateClass::tiles, LimitScope::account};
    route.parameters = {"If-None-Match"};
    route.answers = tile_answers();
    route.failures = {400, 404, 500, 503};
    route.cors = true;  // a key is never sent by itself, so a page that has none learns nothing
    route.handler = tile_handler(tiles, keyed_question, Reach::account);
    return route;
}

Route public_route(service::Tiles& tiles) {
    Route route;
    route.method = Method::get;
    route.pattern = "/cdn/tilesets/{id}/v/{version}/xyz/{z}/{x}/{y}";
    route.operation_id = "getPublicTile";
    route.summary = "Read a tile from a signed address";
    route.tag = "tilesets";
    route.auth = Auth::signed_url;
    route.limit = LimitRule{service::RateClass::cdn_tiles, LimitScope::ip};
    route.parameters = {"expires", "sig", "If-None-Match"};
    route.answers = tile_answers();
    route.failures = {400, 403, 404, 500, 503};
    route.cors = true;
    route.handler = tile_handler(tiles, signed_question, Reach::everyone);
    return route;
}

}  // namespace

std::vector<Route> tile_routes(service::Tiles& tiles) {
    return {account_route(tiles), public_route(tiles)};
}

}  // namespace tessera::http
