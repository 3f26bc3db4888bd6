// Bodies that are streamed into a sink: one buffer is received into while the pool works on the other.
//
//   read_body(A) ─▶ write(A) on the pool
//                   read_body(B) meanwhile ─▶ write(A) has ended ─▶ write(B) on the pool
//                                                                   read_body(A) meanwhile …
#pragma once

#include "core/result.hpp"
#include "http/routing/handler.hpp"
#include "http/server/connection_input.hpp"
#include "http/server/loop.hpp"
#include "http/server/task.hpp"

namespace tessera::http {

// Everything in the body to the sink; an error is the sink's, or tells what was wrong with the body. No write is under
// way any more when it ends.
Task<Result<void>> feed_sink(Loop& loop, ConnectionInput& input, BodySink& sink);

}  // namespace tessera::http
