#include "worker/storage_watch.hpp"

#include "blobs/blob_store.hpp"
#include "core/log.hpp"

namespace tessera::worker {

bool StorageWatch::is_to_blame() {
    return away_ || !ask();
}

bool StorageWatch::is_back() {
    return !away_ || ask();
}

bool StorageWatch::ask() {
    const auto answer = blobs_.check();
    const bool was_away = away_.exchange(!answer);
    if (!answer && !was_away) log::warning("worker.storage_is_away", {{"detail", answer.error().detail}});
    if (answer && was_away) log::info("worker.storage_is_back", {});
    return answer.ok();
}

}  // namespace tessera::worker
