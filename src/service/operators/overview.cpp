#include "service/operators/overview.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

#include "metadata/jobs.hpp"
#include "metadata/nodes.hpp"
#include "metadata/operator_views.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "metadata/webhooks.hpp"
#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;
using Steady = std::chrono::steady_clock;

constexpr Steady::duration shortest_life = std::chrono::seconds(2);
constexpr Steady::duration longest_life = std::chrono::minutes(1);
// Of the time at most one part in so many is spent on asking: to count a queue of millions takes its time.
constexpr int life_per_work = 20;
constexpr Millis nodes_of_late = std::chrono::hours(1);

json::value seconds(const std::optional<Millis>& age) {
    return age ? json::value(std::chrono::duration<double>(*age).count()) : json::value();
}

json::object queue_of(const metadata::JobCounts& counts, const std::vector<metadata::OperationBacklog>& backlog) {
    json::array operations;
    std::optional<Millis> oldest;
    for (const metadata::OperationBacklog& one : backlog) {
        if (one.oldest) oldest = std::max(oldest.value_or(Millis(0)), *one.oldest);
        operations.push_back(json::object{{"operation", one.operation},
                                          {"queued", one.queued},
                                          {"running", one.running},
                                          {"oldest_seconds", seconds(one.oldest)}});
    }
    const std::int64_t blocked = counts.queued - counts.light.ready - counts.heavy.ready;
    return {{"queued", counts.queued},
            {"running", counts.running},
            {"blocked", std::max<std::int64_t>(0, blocked)},
            {"oldest_seconds", seconds(oldest)},
            {"operations", std::move(operations)}};
}

}  // namespace

Result<json::object> Overview::read() {
    const std::lock_guard lock(mutex_);
    const auto begun = Steady::now();
    if (begun < good_until_) return made_;
    auto made = make();
    if (!made) return made;
    const auto ended = Steady::now();
    good_until_ = ended + std::clamp((ended - begun) * life_per_work, shortest_life, longest_life);
    made_ = *made;
    return made;
}

Result<json::object> Overview::make() {
    const auto counts = store_.jobs().counts();
    if (!counts) return counts.error();
    const auto backlog = store_.operator_views().backlog();
    if (!backlog) return backlog.error();
    const auto nodes = store_.nodes().seen_within(nodes_of_late);
    if (!nodes) return nodes.error();
    const auto storage = store_.usage().storage_of_all();
    if (!storage) return storage.error();
    const auto webhooks = store_.webhooks().counts();
    if (!webhooks) return webhooks.error();
    const auto accounts = store_.operator_views().account_counts();
    if (!accounts) return accounts.error();
    const auto today = days_.read(std::nullopt, "1");
    if (!today) return today.error();

    json::array node_list;
    for (const metadata::NodeReport& node : *nodes) node_list.push_back(shown(node, node.name == about_.node));
    return json::object{{"version", about_.version},
                        {"at", to_iso8601(clock_.now())},
                        {"database", about_.database},
                        {"blobs", about_.blobs},
                        {"queue", queue_of(*counts, *backlog)},
                        {"nodes", std::move(node_list)},
                        {"storage", json::object{{"bytes", storage->bytes}, {"assets", storage->assets}}},
                        {"today", shown(today->totals)},
                        {"webhooks", json::object{{"pending", webhooks->pending},
                                                  {"oldest_seconds", seconds(webhooks->oldest)},
                                                  {"active_endpoints", webhooks->active_endpoints},
                                                  {"disabled_endpoints", webhooks->disabled_endpoints}}},
                        {"accounts", json::object{{"active", accounts->active},
                                                  {"suspended", accounts->suspended},
                                                  {"being_erased", accounts->being_erased}}}};
}

}  // namespace tessera::service
