#include "http/routing/handler.hpp"

#include <utility>

namespace tessera::http {

Handler on_loop(Respond respond) {
    return {.on_loop = std::move(respond), .on_pool = {}, .open_sink = {}};
}

Handler on_pool(Respond respond, std::size_t max_body_bytes) {
    return {.on_loop = {}, .on_pool = std::move(respond), .open_sink = {}, .max_body_bytes = max_body_bytes};
}

Handler on_pool_or_later(RespondOrWait respond, std::size_t max_body_bytes) {
    return {.on_loop = {},
            .on_pool = {},
            .may_wait = std::move(respond),
            .open_sink = {},
            .max_body_bytes = max_body_bytes};
}

Handler on_loop_else_pool(TryRespond try_respond, Respond respond) {
    return {.on_loop = std::move(try_respond), .on_pool = std::move(respond), .open_sink = {}};
}

Handler on_loop_else_pool(TryRespond try_respond, Hold hold, Respond respond) {
    return {.on_loop = std::move(try_respond), .hold = std::move(hold), .on_pool = std::move(respond), .open_sink = {}};
}

Handler into_sink(OpenSink open_sink) {
    return {.on_loop = {}, .on_pool = {}, .open_sink = std::move(open_sink)};
}

}  // namespace tessera::http
