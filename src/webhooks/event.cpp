#include "webhooks/event.hpp"

#include "core/log.hpp"

namespace tessera::webhooks {
namespace {

constexpr std::string_view prefix_of_jobs = "job.";

std::string data_of(const metadata::ClaimedDelivery& delivery, const std::optional<std::string>& job) {
    if (!delivery.job_id) return R"({"endpoint_id":")" + delivery.endpoint_id.to_string() + R"("})";
    if (job) return *job;
    return R"({"id":")" + delivery.job_id->to_string() + R"(","status":")" +
           delivery.event.substr(prefix_of_jobs.size()) + R"("})";
}

}  // namespace

std::string event_body(const metadata::ClaimedDelivery& delivery, const std::optional<std::string>& job) {
    std::string body = R"({"type":)";
    log::append_json_string(body, delivery.event);
    body += R"(,"timestamp":")" + to_iso8601(delivery.created_at) + R"(","data":)";
    body += data_of(delivery, job);
    body += '}';
    return body;
}

}  // namespace tessera::webhooks
