// Input: an idempotency key up to the first line feed, then the body of a job request. What is accepted is the same
// request when it is written again from what was understood, and names each of its assets once.
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "operations/registry.hpp"
#include "service/jobs/job_request.hpp"

namespace {

using namespace tessera;

void require(bool holds) {
    if (!holds) std::abort();
}

void check_key(std::string_view key) {
    if (!service::check_idempotency_key(key)) return;
    require(key.size() >= 8 && key.size() <= 128);
    require(std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; }));
}

std::string written_again(const operations::NormalizedRequest& request) {
    boost::json::object body{{"operation", request.operation}, {"options", request.options}};
    if (request.asset_id) body["asset_id"] = request.asset_id->to_string();
    return boost::json::serialize(body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const operations::Registry registry = operations::Registry::built_in();
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto newline = input.find('\n');
    if (newline == std::string_view::npos) return 0;
    check_key(input.substr(0, newline));

    const auto request = service::parse_job_request(input.substr(newline + 1), registry);
    if (!request) {
        require(!request.error().message.empty() && request.error().message.size() < 400);
        return 0;
    }
    const auto again = service::parse_job_request(written_again(*request), registry);
    require(again.ok() && service::fingerprint_of(*again) == service::fingerprint_of(*request));
    auto assets = registry.find(request->operation)->images(request->asset_id, request->options);
    std::ranges::sort(assets);
    require(std::ranges::adjacent_find(assets) == assets.end());
    return 0;
}
