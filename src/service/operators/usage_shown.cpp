#include <boost/json/array.hpp>

#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;

std::string text_of(std::chrono::sys_days date) {
    return to_iso8601(Timestamp(date)).substr(0, 10);
}

}  // namespace

json::object shown(const UsageSums& sums) {
    json::array jobs;
    for (const UsageOfOperation& of : sums.jobs) {
        jobs.push_back(json::object{{"operation", of.operation},
                                    {"submitted", of.submitted},
                                    {"succeeded", of.succeeded},
                                    {"failed", of.failed},
                                    {"cancelled", of.cancelled},
                                    {"processing_credits", of.processing_credits}});
    }
    return {{"jobs", std::move(jobs)},
            {"processing_credits", sums.processing_credits},
            {"uploads", sums.uploads},
            {"uploaded_bytes", sums.uploaded_bytes},
            {"delivered_bytes", sums.delivered_bytes}};
}

json::object shown(const UsageHistory& history) {
    json::array days;
    for (const UsageHistory::Day& day : history.days) {
        json::object one{{"date", text_of(day.date)}};
        for (auto& field : shown(day.sums)) one.emplace(field.key(), std::move(field.value()));
        days.push_back(std::move(one));
    }
    return {{"first_day", text_of(history.days.front().date)},
            {"last_day", text_of(history.days.back().date)},
            {"days", std::move(days)},
            {"totals", shown(history.totals)}};
}

}  // namespace tessera::service
