// Requests and answers as values: what is sent to a service, and what came back of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::remote {

using Instant = std::chrono::steady_clock::time_point;
using Millis = std::chrono::milliseconds;

// An open file that is sent as the part `file` of a form. Whoever sends it keeps it open.
struct FilePart {
    int fd = -1;
    std::uint64_t size = 0;
    std::string name;
};

struct Request {
    std::string method = "GET";
    std::string url;
    std::vector<std::string> headers{};  // "Name: value"
    std::string body{};
    std::optional<FilePart> file{};  // instead of the body
    // Called before each attempt, where a sink has to start anew. False: it can't, and nothing is sent.
    std::function<bool()> restart{};
    // Where the body of a success goes, piece by piece; false breaks it off. Without one it is collected.
    std::function<bool(std::string_view)> sink{};
    std::chrono::seconds stall{60};  // how long nothing may come or go
};

struct Answer {
    int status = 0;                                // 0: there was none
    std::map<std::string, std::string> headers{};  // names in small letters
    std::string body{};
    std::string failure{};  // why there was no whole answer; empty: there was one
    bool may_pass = true;   // whether that failure may be over at the next try
    bool dropped = false;   // it was never sent: its lane was closed

    [[nodiscard]] bool ok() const { return failure.empty() && status >= 200 && status < 300; }
    [[nodiscard]] std::string header(const std::string& name) const {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string() : found->second;
    }
};

}  // namespace tessera::remote
