// Where an S3 store is and how to talk to it. Comes from blobs.url and the keys under "blobs.", with the usual AWS_*
// environment variables where these say nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tessera::blobs {

struct S3Config {
    std::string bucket;
    std::string prefix;    // "" or "folder/": all keys lie below it
    std::string endpoint;  // scheme and host, such as https://s3.eu-central-1.amazonaws.com
    std::string region = "us-east-1";
    bool path_style = false;  // endpoint/bucket/key instead of bucket.endpoint/key
    std::string access_key_id;
    std::string secret_access_key;
    std::string session_token;

    std::uint64_t cache_bytes = std::uint64_t{1} << 30;          // of ranges, on the local disk
    std::uint64_t memory_cache_bytes = std::uint64_t{64} << 20;  // of ranges, in memory
    std::uint64_t object_cache_bytes = std::uint64_t{4} << 30;   // of whole objects, on the local disk
    std::uint64_t part_bytes = std::uint64_t{16} << 20;          // objects larger than this go in parts of this size
    int attempts = 5;                                            // of each request
    std::chrono::milliseconds connect_timeout{5'000};
    std::chrono::milliseconds stall_timeout{20'000};  // a transfer that brings nothing for so long has failed
};

// Looks up an environment variable; a seam for tests.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
Environment process_environment();

// s3://bucket[/prefix][?endpoint=URL&region=R&style=path|virtual]. What is wrong with it is in the error's message.
Result<S3Config> parse_s3_url(std::string_view url, const Environment& environment = process_environment());

}  // namespace tessera::blobs
