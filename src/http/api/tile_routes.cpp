#include "http/api/tile_routes.hpp"

#include <array>
#include <charconv>

#include "http/message/conditional.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/delivery/tiles.hpp"

namespace tessera::http {
namespace {

service::TileAddress address_of(const Request& request) {
    return {request.parameter("id"), request.parameter("z"), request.parameter("x"), request.parameter("y")};
}

// "expires=…&sig=…", which is how addresses are made; anything else is looked through.
service::TileSignature signature_of(const Request& request) {
    constexpr std::string_view first = "expires=";
    constexpr std::string_view second = "sig=";
    const std::string_view query = request.query;
    const std::size_t middle = query.find('&');
    if (middle != std::string_view::npos && query.starts_with(first) && query.substr(middle + 1).starts_with(second)) {
        const std::string_view expires = query.substr(first.size(), middle - first.size());
        const std::string_view signature = query.substr(middle + 1 + second.size());
        const auto lacks = [](std::string_view text, char c) { return text.find(c) == std::string_view::npos; };
        if (lacks(expires, '%') && lacks(signature, '%') && lacks(signature, '&')) {
            return {request.parameter("version"), expires, signature};
        }
    }
    return {request.parameter("version"), plain_query_parameter(query, "expires"), plain_query_parameter(query, "sig")};
}

// An archive's tag and the tile's place in it: different bytes never share one.
class TileTag {
  public:
    explicit TileTag(const service::Tile& tile) {
        char* end = text_.data() + text_.size();
        char* at = text_.data();
        *at++ = '"';
        at = std::to_chars(at, end, tile.archive, 16).ptr;
        *at++ = '-';
        at = std::to_chars(at, end, tile.offset, 16).ptr;
        *at++ = '"';
        length_ = static_cast<std::size_t>(at - text_.data());
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), length_}; }

  private:
    std::array<char, 40> text_;
    std::size_t length_ = 0;
};

void append_cache_control(std::string& headers, std::int64_t seconds_left) {
    std::array<char, 24> number;
    const auto end = std::to_chars(number.data(), number.data() + number.size(), seconds_left).ptr;
    headers += "Cache-Control: public, max-age=";
    headers.append(number.data(), end);
    headers += ", immutable\r\n";
}

enum class Reach { account, everyone };

// Copying less than this into the socket is cheaper than a second system call, which saves the copy.
constexpr std::size_t smallest_sent_from_its_file = 4096;

ResponseBody body_of(service::Tile& tile) {
    if (tile.file < 0 || tile.bytes.size() < smallest_sent_from_its_file) {
        return SharedBytes{std::move(tile.owner), tile.bytes};
    }
    return ResidentSlice{std::move(tile.owner), tile.file, tile.offset, tile.bytes.size()};
}

Response respond(const Request& request, Result<service::Tile> found, Reach reach) {
    if (!found) return Response::from(std::move(found).error());
    service::Tile& tile = *found;
    const TileTag tag(tile);
    Response response;
    response.headers = take_spare_text();
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

service::Tiles::GoOn as_response(Held held) {
    return [held = std::move(held)](std::optional<Error> error) {
        held(error ? std::optional(Response::from(std::move(*error))) : std::nullopt);
    };
}

Handler account_handler(service::Tiles& tiles) {
    return on_loop_else_pool(
        [&tiles](const Request& request) -> std::optional<Response> {
            auto found = tiles.try_read(*request.principal, address_of(request));
            if (!found) return std::nullopt;
            return respond(request, std::move(*found), Reach::account);
        },
        [&tiles](const Request& request, Held held) {
            tiles.wait_for_turn(*request.principal, address_of(request), as_response(std::move(held)));
        },
        [&tiles](const Request& request) {
            return respond(request, tiles.read(*request.principal, address_of(request)), Reach::account);
        });
}

Handler public_handler(service::Tiles& tiles) {
    return on_loop_else_pool(
        [&tiles](const Request& request) -> std::optional<Response> {
            auto found = tiles.try_read_signed(address_of(request), signature_of(request));
            if (!found) return std::nullopt;
            return respond(request, std::move(*found), Reach::everyone);
        },
        [&tiles](const Request& request, Held held) {
            tiles.wait_for_turn_signed(address_of(request), signature_of(request), as_response(std::move(held)));
        },
        [&tiles](const Request& request) {
            return respond(request, tiles.read_signed(address_of(request), signature_of(request)), Reach::everyone);
        });
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
    route.handler = account_handler(tiles);
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
    route.handler = public_handler(tiles);
    return route;
}

}  // namespace

std::vector<Route> tile_routes(service::Tiles& tiles) {
    return {account_route(tiles), public_route(tiles)};
}

}  // namespace tessera::http
