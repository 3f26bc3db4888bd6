// The API of a node: its use cases, put together over the stores, and the table of routes that leads to them.
// Members are in the order of their making; they go in the reverse order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/config/config.hpp"
#include "app/signing_secrets.hpp"
#include "core/disk_floor.hpp"
#include "http/api/openapi.hpp"
#include "http/routing/route.hpp"
#include "operations/registry.hpp"
#include "service/access/in_process_rate_limiter.hpp"
#include "service/access/key_authenticator.hpp"
#include "service/access/key_use_meter.hpp"
#include "service/access/ledger_account_contexts.hpp"
#include "service/access/rate_exchange.hpp"
#include "service/access/stored_plan_catalogue.hpp"
#include "service/access/usage_days.hpp"
#include "service/delivery/artifact_service.hpp"
#include "service/delivery/asset_service.hpp"
#include "service/delivery/deletion_service.hpp"
#include "service/delivery/delivery_meter.hpp"
#include "service/delivery/links.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/signing.hpp"
#include "service/delivery/tile_reader.hpp"
#include "service/delivery/tileset_service.hpp"
#include "service/jobs/event_streams.hpp"
#include "service/jobs/job_service.hpp"
#include "service/jobs/job_wait_service.hpp"
#include "service/pictures/asset_picture_service.hpp"
#include "service/pictures/picture_service.hpp"
#include "service/previews/preview_service.hpp"
#include "service/uploads/scanner.hpp"
#include "service/uploads/upload_service.hpp"

namespace tessera::app {

struct ApiParts {
    const Config& config;
    metadata::Store& store;
    blobs::BlobStore& blobs;
    engine::Prober& prober;
    engine::Previewer& previewer;
    engine::Cutter& cutter;
    const Clock& clock;
    std::vector<std::string> secrets;  // the one that signs first
    DiskFloor disk = {};
};

class Api {
  public:
    explicit Api(const ApiParts& parts);
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    // Every route that one address serves: the interface's, `more`, and the OpenAPI document that tells of them all.
    std::vector<http::Route> routes(std::vector<http::Route> more = {});

    const std::unique_ptr<service::Scanner> scanner;  // null when scanning is off
    const operations::Registry registry;
    service::Signer signer;
    const service::Links links;
    service::KeyAuthenticator authenticator;
    service::InProcessRateLimiter limiter;
    const std::unique_ptr<service::RateExchange> rates;  // null where no other node counts; not started yet
    service::StoredPlanCatalogue plans;
    service::LedgerAccountContexts accounts;
    service::UploadService uploads;
    service::JobService jobs;
    service::JobWaitService waits;
    service::EventStreams events;
    service::ArtifactService artifacts;
    service::AssetService assets;
    service::PreviewService previews;
    service::UsageDays usage;
    service::TilesetService tileset_records;
    service::DeletionService deletions;
    service::OpenTilesets tilesets;
    service::TileReader tiles;
    service::PictureService pictures;
    service::DeliveryMeter meter;  // not started yet
    service::AssetPictureService asset_pictures;
    service::KeyUseMeter key_uses;  // not started yet
};

// What the OpenAPI document tells beyond the routes.
http::OpenApiOptions openapi_options(const operations::Registry& registry);

// A document as `tessera openapi` prints it, with no service running.
enum class OpenApiOf { customers, operators };
std::string openapi_text(const Config& config, OpenApiOf which);

}  // namespace tessera::app
