#include "blobs/s3/block_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "core/file.hpp"

namespace tessera::blobs {

namespace {

constexpr std::size_t most_shards = 16;
constexpr std::uint64_t smallest_shard = 8 << 20;

std::size_t hash_of(const Block& block) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(block.data()), block.size()});
}

}  // namespace

MemoryBlocks::MemoryBlocks(std::uint64_t max_bytes)
    : shards_(std::clamp<std::size_t>(max_bytes / smallest_shard, 1, most_shards)),
      max_bytes_(max_bytes / shards_.size()) {}

BlockPtr MemoryBlocks::find(const BlockId& id) {
    Shard& shard = shard_of(id);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(id);
    if (found == shard.entries.end()) return nullptr;
    shard.order.splice(shard.order.begin(), shard.order, found->second);
    meter.hits.add();
    return found->second->block;
}

void MemoryBlocks::insert(const BlockId& id, BlockPtr block) {
    Shard& shard = shard_of(id);
    const std::lock_guard lock(shard.mutex);
    if (block->size() > max_bytes_ || shard.entries.contains(id)) return;
    const std::uint64_t before = shard.bytes;
    shard.bytes += block->size();
    shard.order.push_front({id, std::move(block)});
    shard.entries.emplace(id, shard.order.begin());
    while (shard.bytes > max_bytes_) {
        shard.bytes -= shard.order.back().block->size();
        shard.entries.erase(shard.order.back().id);
        shard.order.pop_back();
    }
    meter.bytes += static_cast<std::int64_t>(shard.bytes) - static_cast<std::int64_t>(before);
}

void MemoryBlocks::clear() {
    for (Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        shard.entries.clear();
        shard.order.clear();
        meter.bytes -= static_cast<std::int64_t>(shard.bytes);
        shard.bytes = 0;
    }
}

std::filesystem::path DiskBlocks::path_of(std::uint64_t object) const {
    return folder_ / (std::to_string(object) + ".blocks");
}

BlockPtr DiskBlocks::find(const BlockId& id) {
    Entry seen;
    {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(id);
        if (found == entries_.end()) return nullptr;
        order_.splice(order_.begin(), order_, found->second);
        seen = *found->second;
    }
    const UniqueFd file(::open(path_of(id.object).c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return nullptr;
    auto block = std::make_shared<Block>(seen.size);
    if (!read_exactly_at(file.get(), id.index * block_bytes, *block)) return nullptr;

    // Evicted meanwhile, the block may have been a hole when it was read.
    const std::lock_guard lock(mutex_);
    const auto still = entries_.find(id);
    if (still == entries_.end() || still->second->generation != seen.generation) return nullptr;
    if (hash_of(*block) == seen.hash) return block;
    remove(still->second);
    return nullptr;
}

void DiskBlocks::insert(const BlockId& id, const Block& block) {
    const std::lock_guard lock(mutex_);
    if (block.size() > max_bytes_ || entries_.contains(id)) return;
    const UniqueFd file(::open(path_of(id.object).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    // A cache that can't be written is only a slower one.
    if (!file) return;
    const ssize_t written =
        ::pwrite(file.get(), block.data(), block.size(), static_cast<off_t>(id.index * block_bytes));
    if (written != static_cast<ssize_t>(block.size())) return;
    bytes_ += block.size();
    order_.push_front({id, static_cast<std::uint32_t>(block.size()), ++generation_, hash_of(block)});
    entries_.emplace(id, order_.begin());
    ++blocks_of_[id.object];
    while (bytes_ > max_bytes_) remove(std::prev(order_.end()));
    meter.bytes = static_cast<std::int64_t>(bytes_);
}

void DiskBlocks::clear() {
    const std::lock_guard lock(mutex_);
    for (const auto& [object, blocks] : blocks_of_) ::unlink(path_of(object).c_str());
    blocks_of_.clear();
    entries_.clear();
    order_.clear();
    bytes_ = 0;
    meter.bytes = 0;
}

void DiskBlocks::remove(std::list<Entry>::iterator entry) {
    const Entry gone = *entry;
    bytes_ -= gone.size;
    meter.bytes = static_cast<std::int64_t>(bytes_);
    entries_.erase(gone.id);
    order_.erase(entry);
    if (--blocks_of_[gone.id.object] == 0) {
        blocks_of_.erase(gone.id.object);
        ::unlink(path_of(gone.id.object).c_str());
        return;
    }
    const UniqueFd file(::open(path_of(gone.id.object).c_str(), O_WRONLY | O_CLOEXEC));
    if (file)
        ::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(gone.id.index * block_bytes), block_bytes);
}

BlockPtr BlockCache::find(const BlockId& id) {
    if (auto block = memory_.find(id)) return block;
    memory_.meter.misses.add();
    auto block = disk_.find(id);
    (block ? disk_.meter.hits : disk_.meter.misses).add();
    if (block) memory_.insert(id, block);
    return block;
}

void BlockCache::insert(const BlockId& id, const BlockPtr& block) {
    memory_.insert(id, block);
    disk_.insert(id, *block);
}

void BlockCache::clear() {
    memory_.clear();
    disk_.clear();
}

}  // namespace tessera::blobs
