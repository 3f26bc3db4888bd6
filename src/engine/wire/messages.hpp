// What host and children say to each other, as JSON objects with a `kind`. What comes from a child is read as from a
// stranger: any field may be missing, of the wrong type or out of range.
#pragma once

#include <sys/types.h>

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/asset.hpp"
#include "core/job.hpp"
#include "engine/wire/protection.hpp"
#include "imaging/picture/probe.hpp"

namespace tessera::engine {

// host → template, with the channel, the folder and the place for last words as files: become (or make) an engine.
struct StartMessage {
    bool fork = true;
    pid_t host = 0;
    uid_t uid = 0;
    std::int64_t memory_limit_bytes = 0;
    std::int64_t file_limit_bytes = 0;
    int threads = 1;
};

// What a task may use up, along with every task.
struct Allowance {
    std::chrono::seconds processor_time{0};
    std::int64_t file_bytes = 0;
};
void add(boost::json::object& message, const Allowance& allowance);
Allowance decode_allowance(const boost::json::object& message);

namespace kind {
inline constexpr std::string_view start = "start";        // host → template
inline constexpr std::string_view started = "started";    // template → host: pid
inline constexpr std::string_view ready = "ready";        // engine → host: protections
inline constexpr std::string_view probe = "probe";        // host → engine, with the image
inline constexpr std::string_view probed = "probed";      // engine → host: image
inline constexpr std::string_view run = "run";            // host → engine: folder, request
inline constexpr std::string_view open = "open";          // engine → host: what, index
inline constexpr std::string_view file = "file";          // host → engine, with the file or with none
inline constexpr std::string_view progress = "progress";  // engine → host: value
inline constexpr std::string_view done = "done";          // engine → host: manifest
inline constexpr std::string_view failed = "failed";      // engine → host: code, message, detail
}  // namespace kind

std::string encode(const StartMessage& start);
std::optional<StartMessage> decode_start(const boost::json::object& message);

std::string encode(const imaging::HeaderLimits& limits, const Allowance& allowance);
imaging::HeaderLimits decode_limits(const boost::json::object& message);

std::string encode(const ImageInfo& info);
std::optional<ImageInfo> decode_image(const boost::json::object& message);

std::string encode(const JobError& error);
JobError decode_error(const boost::json::object& message);

std::string encode(const std::vector<Protection>& protections);
std::vector<Protection> decode_protections(const boost::json::object& message);

// The object in `body`, nothing when it is none.
std::optional<boost::json::object> parse_message(std::string_view body);
std::string_view kind_of(const boost::json::object& message);
std::string_view text_in(const boost::json::object& message, std::string_view name);
std::optional<double> fraction_in(const boost::json::object& message, std::string_view name);  // 0 to 1
std::optional<std::int64_t> number_in(const boost::json::object& message, std::string_view name);

}  // namespace tessera::engine
