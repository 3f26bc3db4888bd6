// The parts of a list of jobs that are the same for every database.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "metadata/lists.hpp"

namespace tessera::metadata {

// Above every id that is made.
inline Uuid newest_id() {
    Uuid::Bytes bytes;
    bytes.fill(0xff);
    return Uuid(bytes);
}

inline Uuid start_of(const Page& page) {
    return page.before.value_or(newest_id());
}

inline std::optional<std::string> status_text(const JobFilter& filter) {
    std::optional<std::string> text;
    if (filter.status) text = to_string(*filter.status);
    return text;
}

// How many jobs of an asset or a tileset are looked at for one page: more than it holds where more is asked of them.
inline int most_seen(const JobFilter& filter, const Page& page) {
    const bool more_is_asked = filter.status || filter.operation || (filter.asset_id && filter.tileset_id);
    return more_is_asked ? most_looked_through : page.limit;
}

struct SeenJob {
    Uuid id;
    bool fits = false;
};

// Of `most_seen` + 1 jobs, where there are so many, those that the page holds.
inline Listed<Uuid> fitting(const std::vector<SeenJob>& seen, int most, int limit) {
    Listed<Uuid> listed;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (listed.items.size() == static_cast<std::size_t>(limit) || i == static_cast<std::size_t>(most)) {
            listed.next = seen[i - 1].id;
            break;
        }
        if (seen[i].fits) listed.items.push_back(seen[i].id);
    }
    return listed;
}

// Of the newest ids of several ranges, `limit` + 1 of each, the newest of all.
inline std::vector<Uuid> newest_of(std::vector<Uuid> ids, int limit) {
    std::sort(ids.begin(), ids.end(), std::greater<>());
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(limit) + 1));
    return ids;
}

// From `limit` + 1 rows, where there are so many, to a page.
template <typename T, typename IdOf>
Listed<T> page_of(std::vector<T> rows, int limit, const IdOf& id_of) {
    Listed<T> listed{std::move(rows), std::nullopt};
    const auto most = static_cast<std::size_t>(limit);
    if (listed.items.size() <= most) return listed;
    listed.items.resize(most);
    listed.next = id_of(listed.items.back());
    return listed;
}

}  // namespace tessera::metadata
