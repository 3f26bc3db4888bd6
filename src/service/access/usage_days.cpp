#include "service/access/usage_days.hpp"

#include <algorithm>
#include <charconv>

#include "metadata/daily_use.hpp"

namespace tessera::service {
namespace {

UsageOfOperation& of_operation(UsageSums& sums, const std::string& name) {
    auto place = std::ranges::lower_bound(sums.jobs, name, {}, &UsageOfOperation::operation);
    if (place == sums.jobs.end() || place->operation != name) {
        place = sums.jobs.insert(place, UsageOfOperation{});
        place->operation = name;
    }
    return *place;
}

void add(UsageSums& sums, const metadata::DayUse& day) {
    for (const metadata::OperationUse& use : day.operations) {
        sums.processing_credits += use.credits;
        if (use.operation.empty()) continue;  // charges of jobs that are gone
        UsageOfOperation& of = of_operation(sums, use.operation);
        of.submitted += use.submitted;
        of.succeeded += use.succeeded;
        of.failed += use.failed;
        of.cancelled += use.cancelled;
        of.processing_credits += use.credits;
    }
    sums.uploads += day.uploads;
    sums.uploaded_bytes += day.uploaded_bytes;
    sums.delivered_bytes += day.delivered_bytes;
}

Result<int> parse_days(std::optional<std::string_view> text) {
    int days = default_usage_days;
    if (!text || text->empty()) return days;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), days);
    if (error == std::errc() && end == text->data() + text->size() && days >= 1 && days <= most_usage_days) return days;
    return Error{
        ErrorCode::invalid_request, "days must be a whole number from 1 to " + std::to_string(most_usage_days), {}};
}

}  // namespace

Result<UsageHistory> UsageDays::read(std::optional<Uuid> account_id, std::optional<std::string_view> days) {
    const auto count = parse_days(days);
    if (!count) return count.error();
    const auto today = std::chrono::floor<std::chrono::days>(clock_.now());
    const auto first = today - std::chrono::days(*count - 1);
    const auto used = uses_.days(account_id, first, today);
    if (!used) return used.error();
    UsageHistory history;
    for (auto date = first; date <= today; date += std::chrono::days(1)) history.days.push_back({date, {}});
    for (const metadata::DayUse& day : *used) {
        const auto place = static_cast<std::size_t>((day.day - first).count());
        if (place < history.days.size()) add(history.days[place].sums, day);
        add(history.totals, day);
    }
    return history;
}

}  // namespace tessera::service
