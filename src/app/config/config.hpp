// Everything that can be configured, as the components' own structs. Keys, ranges and descriptions are in keys.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "blobs/s3/s3_config.hpp"
#include "core/log.hpp"
#include "engine/host/pool.hpp"
#include "http/server/config.hpp"
#include "operations/operation.hpp"
#include "service/access/key_authenticator.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/access/storage_limits.hpp"
#include "service/delivery/links.hpp"
#include "service/delivery/signing.hpp"
#include "service/jobs/event_streams.hpp"
#include "service/jobs/job_wait_service.hpp"
#include "service/operators/config.hpp"
#include "service/pictures/pictures_config.hpp"
#include "service/previews/preview_service.hpp"
#include "service/upkeep/stack_keeper.hpp"
#include "service/upkeep/sweeper.hpp"
#include "service/uploads/scanner.hpp"
#include "service/uploads/upload_service.hpp"
#include "telemetry/config.hpp"
#include "webhooks/config.hpp"
#include "worker/config.hpp"

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

struct PlansConfig {
    std::string file;  // empty: the plans built in
};

struct MetadataConfig {
    std::string url = "sqlite";  // "sqlite": a file in the data folder
    std::int64_t connections = 0;
};

struct BlobsConfig {
    std::string url = "file";  // "file": a folder in the data folder
    blobs::S3Config s3;        // of which blobs.url says where; the rest are keys of their own
};

struct TilesConfig {
    std::size_t max_open_archives = 4096;
    service::StackKeeperConfig stacks;
};

struct SecretsConfig {
    std::string file;  // empty: signing-secrets in the data folder
};

struct Config {
    DataConfig data;
    http::ServerConfig server;
    service::LinksConfig links;
    LogConfig log;
    MetadataConfig metadata;
    BlobsConfig blobs;
    SecretsConfig secrets;
    service::SigningConfig signing;
    PlansConfig plans;
    service::IdentityConfig identity;
    service::RateLimitsConfig rate_limits;
    operations::WorkerLimits limits;  // worker's own copies of these are set from here
    bool run_worker = true;
    worker::WorkerConfig worker;
    engine::PoolConfig engine;
    TilesConfig tiles;
    service::UploadsConfig uploads;
    service::PreviewsConfig previews;
    service::PicturesConfig pictures;
    service::StorageConfig storage;
    service::WaitsConfig waits;
    service::EventsConfig events;
    service::ConsoleConfig console;
    service::SweeperConfig retention;
    service::ScanningConfig scanning;
    webhooks::WebhooksConfig webhooks;
    telemetry::TracesConfig traces;
};

}  // namespace tessera::app
