// The nodes of a service, as each says of itself every few seconds. Nobody decides by it: it is for people to see.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct NodeReport {
    std::string name;  // unique to a process
    std::string role;
    std::string version;
    Timestamp started_at;    // by the node's clock
    std::string report;      // JSON: what it counts
    Timestamp seen_at = {};  // by the store's clock; the store's to say
    Millis age{0};           // since then; the store's to say
};

class Nodes {
  public:
    virtual ~Nodes() = default;

    // Those that have said nothing for a day are forgotten on the way. A power cut may take it back.
    virtual Result<void> say(const NodeReport& report) = 0;
    virtual Result<std::vector<NodeReport>> seen_within(Millis span) = 0;  // by when they were started, newest first
    virtual Result<void> leave(std::string_view name) = 0;
};

}  // namespace tessera::metadata
