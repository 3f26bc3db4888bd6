// BlockCache: pieces of remote objects, the latest used ones in memory and more of them on the local disk, each within
// its bound. Safe from any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/meters.hpp"

namespace tessera::blobs {

inline constexpr std::size_t block_bytes = std::size_t{128} * 1024;

using Block = std::vector<std::uint8_t>;  // block_bytes, or less at an object's end
using BlockPtr = std::shared_ptr<const Block>;

struct BlockId {
    std::uint64_t object = 0;  // a number for an object's very bytes; never used again for others
    std::uint64_t index = 0;

    bool operator==(const BlockId&) const = default;
};

struct BlockIdHash {
    std::size_t operator()(const BlockId& id) const noexcept {
        return static_cast<std::size_t>((id.object * 0x9e3779b97f4a7c15ULL) ^ (id.index * 0xc2b2ae3d27d4eb4fULL));
    }
};

// In shards with a lock each, because every tile that is served looks here.
class MemoryBlocks {
  public:
    explicit MemoryBlocks(std::uint64_t max_bytes);
    BlockPtr find(const BlockId& id);
    void insert(const BlockId& id, BlockPtr block);
    void clear();

    CacheMeter meter;

  private:
    struct Entry {
        BlockId id;
        BlockPtr block;
    };
    struct alignas(64) Shard {
        std::mutex mutex;
        std::uint64_t bytes = 0;
        std::list<Entry> order;  // latest used first
        std::unordered_map<BlockId, std::list<Entry>::iterator, BlockIdHash> entries;
    };
    Shard& shard_of(const BlockId& id) { return shards_[(BlockIdHash{}(id) >> 32) % shards_.size()]; }

    std::vector<Shard> shards_;
    const std::uint64_t max_bytes_;  // of one shard
};

// One sparse file an object; what is evicted becomes a hole in it. Blocks are compared with a hash that stays in
// memory: a disk that lost or changed one costs a request and never a wrong byte.
class DiskBlocks {
  public:
    DiskBlocks(std::filesystem::path folder, std::uint64_t max_bytes)
        : folder_(std::move(folder)), max_bytes_(max_bytes) {}
    BlockPtr find(const BlockId& id);
    void insert(const BlockId& id, const Block& block);
    void clear();

    CacheMeter meter;

  private:
    struct Entry {
        BlockId id;
        std::uint32_t size = 0;
        std::uint64_t generation = 0;
        std::size_t hash = 0;
    };
    [[nodiscard]] std::filesystem::path path_of(std::uint64_t object) const;
    void remove(std::list<Entry>::iterator entry);

    const std::filesystem::path folder_;
    const std::uint64_t max_bytes_;
    std::mutex mutex_;
    std::uint64_t bytes_ = 0;
    std::uint64_t generation_ = 0;
    std::list<Entry> order_;
    std::unordered_map<BlockId, std::list<Entry>::iterator, BlockIdHash> entries_;
    std::unordered_map<std::uint64_t, std::size_t> blocks_of_;  // by object
};

class BlockCache {
  public:
    BlockCache(std::filesystem::path folder, std::uint64_t memory_bytes, std::uint64_t disk_bytes)
        : memory_(memory_bytes), disk_(std::move(folder), disk_bytes) {}

    BlockPtr find(const BlockId& id);
    BlockPtr find_in_memory(const BlockId& id) { return memory_.find(id); }
    void insert(const BlockId& id, const BlockPtr& block);
    void clear();

    // A miss is counted when a block has to be fetched, however often it was looked for before.
    [[nodiscard]] const CacheMeter& memory_meter() const { return memory_.meter; }
    [[nodiscard]] const CacheMeter& disk_meter() const { return disk_.meter; }

  private:
    MemoryBlocks memory_;
    DiskBlocks disk_;
};

}  // namespace tessera::blobs
