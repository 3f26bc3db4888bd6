#include "blobs/s3/range_reader.hpp"

#include <algorithm>

namespace tessera::blobs {

namespace {

// A long read goes in windows, so that its memory is bounded.
constexpr std::size_t window_blocks = 64;

std::uint64_t size_of_block(const RemoteObject& object, std::uint64_t index) {
    return std::min<std::uint64_t>(block_bytes, object.size - index * block_bytes);
}

// Copies what `block` holds of the range [offset, offset + out.size()).
void copy_part(const Block& block, std::uint64_t index, std::uint64_t offset, std::span<std::uint8_t> out) {
    const std::uint64_t begin = index * block_bytes;
    const std::uint64_t from = std::max(offset, begin);
    const std::uint64_t to = std::min(offset + out.size(), begin + block.size());
    std::copy(block.begin() + static_cast<std::ptrdiff_t>(from - begin),
              block.begin() + static_cast<std::ptrdiff_t>(to - begin),
              out.begin() + static_cast<std::ptrdiff_t>(from - offset));
}

}  // namespace

bool RangeReader::try_read(const RemoteObject& object, std::uint64_t offset, std::span<std::uint8_t> out) {
    if (offset > object.size || out.size() > object.size - offset) return false;
    if (out.empty()) return true;
    for (std::uint64_t index = offset / block_bytes; index <= (offset + out.size() - 1) / block_bytes; ++index) {
        const auto block = cache_.find_in_memory({object.id, index});
        if (!block) return false;
        copy_part(*block, index, offset, out);
    }
    return true;
}

std::optional<HeldBytes> RangeReader::hold(const RemoteObject& object, std::uint64_t offset, std::size_t length) {
    if (length == 0 || offset > object.size || length > object.size - offset) return std::nullopt;
    const std::uint64_t index = offset / block_bytes;
    if ((offset + length - 1) / block_bytes != index) return std::nullopt;
    auto block = cache_.find_in_memory({object.id, index});
    if (!block) return std::nullopt;
    const auto bytes = std::span(*block).subspan(offset - index * block_bytes, length);
    return HeldBytes{std::move(block), bytes};
}

Result<void> RangeReader::read(const RemoteObject& object, std::uint64_t offset, std::span<std::uint8_t> out,
                               const Fetch& fetch) {
    if (offset > object.size || out.size() > object.size - offset)
        return storage_unavailable("a read past a blob's end");
    while (!out.empty()) {
        const std::uint64_t first = offset / block_bytes;
        const std::uint64_t last = std::min((offset + out.size() - 1) / block_bytes, first + window_blocks - 1);
        std::vector<Wanted> blocks;
        for (std::uint64_t index = first; index <= last; ++index) {
            const BlockId id{object.id, index};
            blocks.push_back({id, cache_.find(id), nullptr, false});
        }
        board(blocks);
        fetch_mine(object, blocks, fetch);

        const auto part =
            out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), (last + 1) * block_bytes - offset)));
        for (auto& wanted : blocks) {
            auto there = wait_for(wanted);
            if (!there) return there;
            copy_part(*wanted.block, wanted.id.index, offset, part);
        }
        offset += part.size();
        out = out.subspan(part.size());
    }
    return {};
}

// Joins the flights of others for missing blocks and announces own ones for the rest.
void RangeReader::board(std::vector<Wanted>& blocks) {
    const std::lock_guard lock(mutex_);
    for (auto& wanted : blocks) {
        if (wanted.block) continue;
        auto& flight = flights_[wanted.id];
        if (!flight) {
            // It may have landed since it was looked for.
            wanted.block = cache_.find_in_memory(wanted.id);
            if (wanted.block) {
                flights_.erase(wanted.id);
                continue;
            }
            flight = std::make_shared<Flight>();
            wanted.mine = true;
        }
        wanted.flight = flight;
    }
}

void RangeReader::fetch_mine(const RemoteObject& object, std::span<Wanted> blocks, const Fetch& fetch) {
    while (!blocks.empty()) {
        const auto begin = std::ranges::find_if(blocks, &Wanted::mine);
        const auto end = std::find_if_not(begin, blocks.end(), [](const Wanted& wanted) { return wanted.mine; });
        if (begin != end) fetch_run(object, std::span(begin, end), fetch);
        blocks = std::span(end, blocks.end());
    }
}

void RangeReader::fetch_run(const RemoteObject& object, std::span<Wanted> run, const Fetch& fetch) {
    const std::uint64_t begin = run.front().id.index * block_bytes;
    const std::uint64_t end = run.back().id.index * block_bytes + size_of_block(object, run.back().id.index);
    try {
        std::vector<std::uint8_t> bytes(end - begin);
        const auto fetched = fetch(begin, bytes);
        if (!fetched) return land(run, fetched.error());
        for (auto& wanted : run) {
            const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(wanted.id.index * block_bytes - begin);
            const auto size = static_cast<std::ptrdiff_t>(size_of_block(object, wanted.id.index));
            wanted.block = std::make_shared<const Block>(from, from + size);
            cache_.insert(wanted.id, wanted.block);
        }
    } catch (...) {  // those who joined must not wait for ever
        land(run, internal_error("interrupted"));
        throw;
    }
    land(run, std::nullopt);
}

void RangeReader::land(std::span<Wanted> run, const std::optional<Error>& error) {
    const std::lock_guard lock(mutex_);
    for (auto& wanted : run) {
        wanted.flight->block = wanted.block;
        wanted.flight->error = error;
        flights_.erase(wanted.id);
    }
    landed_.notify_all();
}

Result<void> RangeReader::wait_for(Wanted& wanted) {
    if (wanted.block) return {};
    std::unique_lock lock(mutex_);
    landed_.wait(lock, [&] { return wanted.flight->block || wanted.flight->error; });
    const std::optional<Error>& error = wanted.flight->error;
    if (error) return *error;
    wanted.block = wanted.flight->block;
    return {};
}

}  // namespace tessera::blobs
