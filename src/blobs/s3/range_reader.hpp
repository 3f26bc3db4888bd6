// RangeReader: ranges of remote objects through the block cache. What is missing is fetched with one request for each
// gap, and by one caller, however many want the same block.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "blobs/blob_store.hpp"
#include "blobs/s3/block_cache.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

// An object as it was when it was last looked at.
struct RemoteObject {
    std::uint64_t id = 0;
    std::uint64_t size = 0;
    std::string etag;
    std::string sha256;
};

class RangeReader {
  public:
    // Fills all of `out` from the object's `offset`.
    using Fetch = std::function<Result<void>(std::uint64_t offset, std::span<std::uint8_t> out)>;

    explicit RangeReader(BlockCache& cache) : cache_(cache) {}

    Result<void> read(const RemoteObject& object, std::uint64_t offset, std::span<std::uint8_t> out,
                      const Fetch& fetch);
    // From memory or not at all.
    bool try_read(const RemoteObject& object, std::uint64_t offset, std::span<std::uint8_t> out);
    // Without copying, where one block in memory has it all.
    std::optional<HeldBytes> hold(const RemoteObject& object, std::uint64_t offset, std::size_t length);

  private:
    struct Flight {
        std::optional<Error> error;
        BlockPtr block;
    };
    using FlightPtr = std::shared_ptr<Flight>;
    struct Wanted {
        BlockId id;
        BlockPtr block;
        FlightPtr flight;
        bool mine = false;
    };

    void board(std::vector<Wanted>& blocks);
    void fetch_mine(const RemoteObject& object, std::span<Wanted> blocks, const Fetch& fetch);
    void fetch_run(const RemoteObject& object, std::span<Wanted> run, const Fetch& fetch);
    void land(std::span<Wanted> run, const std::optional<Error>& error);
    Result<void> wait_for(Wanted& wanted);

    BlockCache& cache_;
    std::mutex mutex_;
    std::condition_variable landed_;
    std::unordered_map<BlockId, FlightPtr, BlockIdHash> flights_;
};

}  // namespace tessera::blobs
