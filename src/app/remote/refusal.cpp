#include "app/remote/refusal.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "app/remote/service.hpp"

namespace tessera::remote {
namespace {

namespace json = boost::json;

}  // namespace

std::string Refusal::text() const {
    std::string out = error;
    std::string more = code;
    const auto add = [&more](const std::string& words) { more += (more.empty() ? "" : "; ") + words; };
    if (!job_id.empty()) add("job " + job_id);
    if (!request_id.empty()) add("request " + request_id);
    if (!more.empty()) out += " (" + more + ")";
    if (!hint.empty()) out += ": " + hint;
    return out;
}

Refusal refusal_of(const Answer& answer) {
    Refusal refusal{answer.status, {}};
    refusal.request_id = answer.header("x-request-id");
    if (!answer.failure.empty()) {
        refusal.error = answer.failure;
        refusal.no_answer = true;
        return refusal;
    }
    boost::system::error_code failed;
    const json::value body = json::parse(answer.body, failed);
    if (!failed && body.is_object()) {
        refusal.error = text_at(body.get_object(), "error");
        refusal.code = text_at(body.get_object(), "code");
        refusal.hint = text_at(body.get_object(), "hint");
    }
    if (refusal.error.empty()) {
        refusal.error = answer.ok() ? "the answer is not what a Tessera service gives"
                                    : "the service answered with status " + std::to_string(answer.status);
    }
    return refusal;
}

bool meets_every_file(const Refusal& refusal) {
    constexpr std::array<std::string_view, 3> codes{"credits_exhausted", "storage_limit_exceeded", "permission_denied"};
    if (refusal.no_answer || refusal.status == 401 || refusal.status == 503) return true;
    return std::ranges::find(codes, std::string_view(refusal.code)) != codes.end();
}

Refusal own_trouble(std::string error) {
    return {0, std::move(error)};
}

}  // namespace tessera::remote
