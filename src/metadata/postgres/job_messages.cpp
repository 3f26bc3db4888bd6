#include "metadata/postgres/job_messages.hpp"

#include <algorithm>

namespace tessera::metadata::postgres {
namespace {

constexpr std::string_view status_letters = "qrsf";  // in the order of JobStatus
constexpr std::size_t entry_length = 1 + 2 * Uuid::text_length;
constexpr std::size_t longest_payload = 7'999;  // PostgreSQL's own bound
constexpr std::size_t entries_in_a_message = longest_payload / entry_length;

}  // namespace

std::vector<std::string> job_messages(std::span<const JobChange> changes) {
    std::vector<std::string> messages;
    while (!changes.empty()) {
        const auto some = changes.first(std::min(changes.size(), entries_in_a_message));
        changes = changes.subspan(some.size());
        std::string& message = messages.emplace_back();
        message.reserve(some.size() * entry_length);
        for (const JobChange& change : some) {
            message += status_letters[static_cast<std::size_t>(change.status)];
            message += change.account_id.to_string();
            message += change.job_id.to_string();
        }
    }
    return messages;
}

std::vector<JobChange> parse_job_message(std::string_view payload) {
    std::vector<JobChange> changes;
    if (payload.size() % entry_length != 0) return {};
    for (; !payload.empty(); payload.remove_prefix(entry_length)) {
        const std::size_t status = status_letters.find(payload[0]);
        const auto account_id = Uuid::parse(payload.substr(1, Uuid::text_length));
        const auto job_id = Uuid::parse(payload.substr(1 + Uuid::text_length, Uuid::text_length));
        if (status == std::string_view::npos || !account_id || !job_id) return {};
        changes.push_back({*account_id, *job_id, static_cast<JobStatus>(status)});
    }
    return changes;
}

}  // namespace tessera::metadata::postgres
