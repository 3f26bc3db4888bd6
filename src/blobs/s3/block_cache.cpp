#include "blobs/s3/block_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "core/file.hpp"

namespace tessera::blobs {

BlockPtr MemoryBlocks::find(const BlockId& id) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->block;
}

void MemoryBlocks::insert(const BlockId& id, BlockPtr block) {
    const std::lock_guard lock(mutex_);
    if (block->size() > max_bytes_ || entries_.contains(id)) return;
    bytes_ += block->size();
    order_.push_front({id, std::move(block)});
    entries_.emplace(id, order_.begin());
    while (bytes_ > max_bytes_) {
        bytes_ -= order_.back().block->size();
        entries_.erase(order_.back().id);
        order_.pop_back();
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
    return block;
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
    order_.push_front({id, static_cast<std::uint32_t>(block.size()), ++generation_});
    entries_.emplace(id, order_.begin());
    ++blocks_of_[id.object];
    while (bytes_ > max_bytes_) evict_last();
}

void DiskBlocks::evict_last() {
    const Entry last = order_.back();
    bytes_ -= last.size;
    entries_.erase(last.id);
    order_.pop_back();
    if (--blocks_of_[last.id.object] == 0) {
        blocks_of_.erase(last.id.object);
        ::unlink(path_of(last.id.object).c_str());
        return;
    }
    const UniqueFd file(::open(path_of(last.id.object).c_str(), O_WRONLY | O_CLOEXEC));
    if (file)
        ::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(last.id.index * block_bytes), block_bytes);
}

BlockPtr BlockCache::find(const BlockId& id) {
    if (auto block = memory_.find(id)) return block;
    auto block = disk_.find(id);
    if (block) memory_.insert(id, block);
    return block;
}

void BlockCache::insert(const BlockId& id, const BlockPtr& block) {
    memory_.insert(id, block);
    disk_.insert(id, *block);
}

}  // namespace tessera::blobs
