#include "http/api/picture_answers.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "http/api/tile_answers.hpp"
#include "http/api/wait_for_picture.hpp"
#include "http/message/conditional.hpp"
#include "http/message/origin.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http {
namespace {

using service::AnswerState;
using service::PictureForm;
using service::Pictures;
using service::PictureSource;
using service::PicturesQuestion;

// `origin` is kept by the caller.
PicturesQuestion question_of(const Request& request, PictureForm form, std::string_view origin) {
    PicturesQuestion question{form, request.parameter("id"), request.parameter("version"), std::nullopt};
    question.origin = origin;
    if (request.principal) {
        question.account = request.principal->account.id;
    } else {
        // To viewers it is a part of an identifier, which they may encode.
        question.grant = percent_decoded(request.parameter("grant")).value_or(std::string());
    }
    return question;
}

bool counts(const Request& request) {
    return !request.principal && request.method == Method::get;
}

// Everything but the bytes.
Response head_of(const Request& request, const PictureSource& source, const WantedPicture& wanted,
                 std::string_view etag) {
    Response response;
    response.add("Cache-Control", cache_control_of(request, source));
    if (!wanted.link.empty()) response.add("Link", wanted.link);
    response.add("ETag", etag);
    return response;
}

Response unchanged(Response head) {
    head.status = 304;
    return head;
}

Response answer_tile(const Request& request, const PictureSource& source, const WantedPicture& wanted,
                     service::Tile& tile) {
    const TileTag tag(tile);
    Response response = head_of(request, source, wanted, tag.text());
    if (is_known_to(request, tag.text())) return unchanged(std::move(response));
    response.content_type = media_type(tile.format);
    if (counts(request)) tile.delivered->fetch_add(tile.bytes.size(), std::memory_order_relaxed);
    response.body = body_of(tile);
    return response;
}

Response answer_made(Pictures& pictures, const Request& request, const PictureSource& source,
                     const WantedPicture& wanted, const service::PreviewBytes& bytes) {
    Response response = head_of(request, source, wanted, strong_etag(pictures.tag_of(source, wanted.cut)));
    response.content_type = media_type(wanted.cut.format);
    if (counts(request)) pictures.count_delivered(source, bytes->size());
    response.body = SharedBytes{bytes, std::string_view(*bytes)};
    return response;
}

// What the client has already is known before anything is made.
std::optional<Response> known(Pictures& pictures, const Request& request, const PictureSource& source,
                              const WantedPicture& wanted) {
    if (is_whole_tile(wanted.cut, source.geometry())) return std::nullopt;
    const std::string etag = strong_etag(pictures.tag_of(source, wanted.cut));
    if (!is_known_to(request, etag)) return std::nullopt;
    return unchanged(head_of(request, source, wanted, etag));
}

std::optional<Response> try_picture(Pictures& pictures, const Request& request, PictureForm form,
                                    const WantedPictureOf& wanted_of) {
    const std::string origin = origin_of(request);
    auto source = pictures.find(question_of(request, form, origin));
    if (source.state() == AnswerState::must_wait) return std::nullopt;
    if (!source) return Response::from(std::move(source).error());
    const auto wanted = wanted_of(request, *source);
    if (!wanted) return Response::from(wanted.error());
    if (auto response = known(pictures, request, *source, *wanted)) return response;
    auto found = pictures.find(*source, wanted->cut);
    if (found.state() == AnswerState::must_wait) return std::nullopt;
    if (!found) return Response::from(std::move(found).error());
    if (auto* tile = std::get_if<service::Tile>(&*found)) return answer_tile(request, *source, *wanted, *tile);
    return answer_made(pictures, request, *source, *wanted, std::get<service::MadePicture>(*found).bytes);
}

ResponseOrWait open_picture(Pictures& pictures, const Request& request, PictureForm form,
                            const WantedPictureOf& wanted_of) {
    const std::string origin = origin_of(request);
    auto source = pictures.load(question_of(request, form, origin));
    if (!source) return Response::from(std::move(source).error());
    auto wanted = wanted_of(request, *source);
    if (!wanted) return Response::from(std::move(wanted).error());
    if (auto response = known(pictures, request, *source, *wanted)) return std::move(*response);
    auto opened = pictures.open(*source, wanted->cut);
    if (!opened) return Response::from(std::move(opened).error());
    if (auto* tile = std::get_if<service::Tile>(&*opened)) return answer_tile(request, *source, *wanted, *tile);
    if (const auto* made = std::get_if<service::MadePicture>(&*opened)) {
        return answer_made(pictures, request, *source, *wanted, made->bytes);
    }
    auto pending = std::get<std::shared_ptr<service::PendingPreview>>(std::move(*opened));
    auto respond = [&pictures, &request, source = std::move(*source), wanted = std::move(*wanted), pending] {
        const auto made = pending->result();
        if (!made) return Response::from(made.error());
        return answer_made(pictures, request, source, wanted, *made);
    };
    return WaitThenRespond{std::make_unique<WaitForPicture>(pending), std::move(respond)};
}

Hold hold_for_turn(Pictures& pictures, PictureForm form) {
    return [&pictures, form](const Request& request, Held held) {
        const std::string origin = origin_of(request);
        pictures.wait_for_turn(question_of(request, form, origin),
                               [held = std::move(held)](std::optional<Error> error) {
                                   held(error ? std::optional(Response::from(std::move(*error))) : std::nullopt);
                               });
    };
}

}  // namespace

std::string cache_control_of(const Request& request, const PictureSource& source) {
    if (request.principal) return "private, no-cache";
    return "public, max-age=" + std::to_string(source.wanted.seconds_left) + ", immutable";
}

Handler picture_handler(Pictures& pictures, PictureForm form, const WantedPictureOf& wanted_of) {
    Handler handler;
    handler.on_loop = [&pictures, form, wanted_of](const Request& request) {
        return try_picture(pictures, request, form, wanted_of);
    };
    handler.hold = hold_for_turn(pictures, form);
    handler.may_wait = [&pictures, form, wanted_of](const Request& request) {
        return open_picture(pictures, request, form, wanted_of);
    };
    return handler;
}

Handler source_handler(Pictures& pictures, PictureForm form, const DescribeSource& describe) {
    return on_loop_else_pool(
        [&pictures, form, describe](const Request& request) -> std::optional<Response> {
            const std::string origin = origin_of(request);
            auto source = pictures.find(question_of(request, form, origin));
            if (source.state() == AnswerState::must_wait) return std::nullopt;
            return source ? describe(request, *source) : Response::from(std::move(source).error());
        },
        hold_for_turn(pictures, form),
        [&pictures, form, describe](const Request& request) {
            const std::string origin = origin_of(request);
            auto source = pictures.load(question_of(request, form, origin));
            return source ? describe(request, *source) : Response::from(std::move(source).error());
        });
}

Route picture_route(PictureReach reach, PictureForm form, std::string_view rest) {
    Route route;
    const bool keyed = reach == PictureReach::account;
    route.pattern = keyed ? "/v1/tilesets/{id}/v/{version}" : "/cdn/tilesets/{id}/v/{version}";
    route.pattern += form == PictureForm::iiif ? "/iiif" : "/dzi";
    if (!keyed) route.pattern += "/{grant}";
    route.pattern += rest;
    route.tag = "tilesets";
    route.auth = keyed ? Auth::api_key : Auth::signed_url;
    if (keyed) route.permission = Permission::tiles_read;
    route.limit = keyed ? LimitRule{service::RateClass::tiles, LimitScope::account}
                        : LimitRule{service::RateClass::cdn_tiles, LimitScope::ip};
    route.failures = {400, 404, 500, 503};
    if (!keyed) route.failures.push_back(403);
    route.cors = true;  // a key is never sent by itself, so a page that has none learns nothing
    return route;
}

}  // namespace tessera::http
