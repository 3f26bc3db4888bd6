// What was learnt of remote objects by opening them, the latest used ones. Safe from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "blobs/blob_key.hpp"
#include "blobs/s3/range_reader.hpp"

namespace tessera::blobs {

using ObjectPtr = std::shared_ptr<const RemoteObject>;

class KnownObjects {
  public:
    // Null when it is not known, or was learnt too long ago: objects never change, but another node may remove one.
    ObjectPtr find(const BlobKey& key);
    // The number by which blocks of these bytes are already cached, if they are the same bytes; a new one otherwise.
    std::uint64_t id_for(const BlobKey& key, const std::string& etag);
    void insert(const BlobKey& key, ObjectPtr object);
    void forget(const BlobKey& key);
    void forget_all(std::string_view prefix);

  private:
    struct Entry {
        std::string key;
        ObjectPtr object;
        std::chrono::steady_clock::time_point until;
    };
    void erase(const std::string& key);

    std::mutex mutex_;
    std::uint64_t last_id_ = 0;
    std::list<Entry> order_;  // latest used first
    std::unordered_map<std::string, std::list<Entry>::iterator> entries_;
};

}  // namespace tessera::blobs
