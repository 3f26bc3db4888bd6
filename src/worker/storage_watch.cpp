#include "worker/storage_watch.hpp"

#include "blobs/blob_store.hpp"
#include "core/log.hpp"

namespace tessera::worker {

bool StorageWatch::is_to_blame() {
    return away_ || !ask();
}

bool StorageWatch::is_back() {
    if (away_) return ask();
    return !disk_.check() ? ask() : true;
}

bool StorageWatch::ask() {
    const auto room = disk_.check();
    const auto answer = room ? blobs_.check() : room;
    const bool was_away = away_.exchange(!answer);
    if (!answer && !was_away) log::warning("worker.storage_is_away", {{"detail", answer.error().detail}});
    if (answer && was_away) log::info("worker.storage_is_back", {});
    return answer.ok();
}

}  // namespace tessera::worker
