#include "http/api/event_routes.hpp"

#include <memory>
#include <utility>

#include "service/access/rate_limiter.hpp"
#include "service/jobs/events.hpp"

namespace tessera::http {
namespace {

constexpr std::string_view event_stream_type = "text/event-stream";

class EventBody final : public BodySource {
  public:
    EventBody(service::Events& streams, std::shared_ptr<service::EventStream> stream)
        : streams_(streams), stream_(std::move(stream)) {}
    EventBody(const EventBody&) = delete;
    EventBody& operator=(const EventBody&) = delete;
    ~EventBody() override { streams_.leave(stream_); }

    bool take(std::string& out) override { return stream_->take(out); }
    void wait(std::function<void()> over) override { stream_->when_more(std::move(over)); }
    void give_up() override { stream_->end(); }

  private:
    service::Events& streams_;
    const std::shared_ptr<service::EventStream> stream_;
};

Response with_headers(Response response) {
    response.add("Cache-Control", "private, no-store");
    response.add("X-Accel-Buffering", "no");  // a proxy must pass each event on as it comes
    return response;
}

Response open(service::Events& events, const Request& request) {
    std::optional<Uuid> only_job;
    if (const auto text = request.query_parameter("job_id")) {
        only_job = Uuid::parse(*text);
        if (!only_job) return Response::from({ErrorCode::invalid_id, "invalid job id", {}});
    }
    if (request.method == Method::head) return with_headers(Response::streamed(event_stream_type, nullptr));
    auto last = request.header("Last-Event-ID");
    if (last && last->empty()) last.reset();  // as a reader says that has seen none
    auto stream = events.open(*request.principal, last, only_job);
    if (!stream) return Response::from(std::move(stream).error());
    auto body = std::make_shared<EventBody>(events, std::move(*stream));
    return with_headers(Response::streamed(event_stream_type, std::move(body)));
}

}  // namespace

std::vector<Route> event_routes(service::Events& events) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/events";
    route.operation_id = "streamEvents";
    route.summary = "Follow the account's jobs as Server-Sent Events";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_read;
    route.limit = LimitRule{service::RateClass::job_reads, LimitScope::account};
    route.parameters = {"Last-Event-ID", "job_id"};
    route.answers = {{200,
                      "Events `queued`, `running`, `succeeded` and `failed` with the job as data, and `gap` where some "
                      "could not be told; the stream goes on until one side ends it",
                      "",
                      {std::string(event_stream_type)},
                      {"Cache-Control", "X-Accel-Buffering"}}};
    route.failures = {400, 503};
    route.handler = on_pool([&events](const Request& request) { return open(events, request); });
    return {std::move(route)};
}

}  // namespace tessera::http
