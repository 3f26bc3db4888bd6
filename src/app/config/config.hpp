// Everything that can be configured, as the components' own structs. Keys, ranges and descriptions are in keys.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/log.hpp"
#include "http/config.hpp"
#include "service/rate_limiter.hpp"
#include "service/service_limits.hpp"

namespace tessera::app {

struct DataConfig {
    std::string dir = "tessera-data";
};

struct LogConfig {
    std::string level = "info";
    std::string file;                          // empty: standard error
    std::int64_t max_waiting_bytes = 8 << 20;  // lines beyond it are dropped and counted

    [[nodiscard]] log::Level threshold() const;
};

struct AddressConfig {
    std::string public_url;  // empty: the address that the server listens on
    std::string cdn_url;     // empty: public_url
};

struct PlansConfig {
    std::string file;  // empty: the plans built in
};

struct MetadataConfig {
    std::string url = "sqlite";  // "sqlite": a file in the data folder
    std::int64_t connections = 0;
};

struct BlobsConfig {
    std::string url = "file";  // "file": a folder in the data folder
};

struct SigningConfig {
    std::string secrets_file;  // empty: signing-secrets in the data folder
    std::chrono::seconds artifact_url_ttl{15 * 60};
    std::chrono::seconds tile_url_ttl{60 * 60};
};

struct Config {
    DataConfig data;
    http::ServerConfig server;
    AddressConfig address;
    LogConfig log;
    MetadataConfig metadata;
    BlobsConfig blobs;
    SigningConfig signing;
    PlansConfig plans;
    service::RateLimitsConfig rate_limits;
    service::ServiceLimits limits;
};

}  // namespace tessera::app
