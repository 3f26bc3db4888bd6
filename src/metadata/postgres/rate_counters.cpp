#include "metadata/postgres/rate_counters.hpp"

#include <unordered_map>

#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {

Result<std::vector<RateTotal>> PostgresRateCounters::add(std::span<const RateDelta> deltas) {
    std::vector<std::optional<std::string>> keys;
    std::vector<std::optional<std::string>> counts;
    std::vector<std::optional<std::string>> ends;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const RateDelta& delta : deltas) {
        places.emplace(delta.key, keys.size());
        keys.emplace_back(delta.key);
        counts.emplace_back(std::to_string(delta.count));
        ends.emplace_back(std::to_string(delta.ends_in.count()));
    }
    Call call{sql::rate_counters::add, {}};
    call.parameters.add_array(keys);
    call.parameters.add_array(counts);
    call.parameters.add_array(ends);
    call.parameters.add(time_.now());
    return pool_.write([&](Connection& db) {
        std::vector<RateTotal> totals(deltas.size());
        Rows row = db.run(call);
        while (row.next()) {
            const std::string key = row.text();
            RateTotal& total = totals[places.at(key)];
            total.count = row.integer();
            total.ends_in = Millis(row.integer());
        }
        return totals;
    });
}

}  // namespace tessera::metadata::postgres
