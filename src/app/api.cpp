#include "app/api.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <iterator>

#include "app/command_failed.hpp"
#include "app/console.hpp"
#include "app/process/temporary_folder.hpp"
#include "app/stores.hpp"
#include "app/version.hpp"
#include "blobs/blob_store.hpp"
#include "core/log.hpp"
#include "core/plain_numbers.hpp"
#include "engine/host/cut.hpp"
#include "engine/host/preview.hpp"
#include "engine/host/probe.hpp"
#include "http/api/account_routes.hpp"
#include "http/api/artifact_routes.hpp"
#include "http/api/asset_iiif_routes.hpp"
#include "http/api/asset_read_routes.hpp"
#include "http/api/asset_routes.hpp"
#include "http/api/deep_zoom_routes.hpp"
#include "http/api/deletion_routes.hpp"
#include "http/api/event_routes.hpp"
#include "http/api/iiif_routes.hpp"
#include "http/api/job_json.hpp"
#include "http/api/job_list_routes.hpp"
#include "http/api/job_routes.hpp"
#include "http/api/operational_routes.hpp"
#include "http/api/preview_routes.hpp"
#include "http/api/problem_routes.hpp"
#include "http/api/tile_routes.hpp"
#include "http/api/tileset_routes.hpp"
#include "http/api/usage_routes.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

// Archives that may be open for serving: most descriptors are for connections.
std::size_t most_open_archives(const Config& config) {
    const std::size_t wanted = config.tiles.max_open_archives;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    return std::min<std::size_t>(wanted, std::max<rlim_t>(limit.rlim_max / 4, 64));
}

std::unique_ptr<service::Scanner> make_scanner(const service::ScanningConfig& config) {
    return config.enabled ? must(service::make_clamd_scanner(config)) : nullptr;
}

std::unique_ptr<service::RateExchange> share_limits(service::InProcessRateLimiter& limiter, const ApiParts& parts) {
    metadata::RateCounters* counters = parts.store.rate_counters();
    if (counters == nullptr || !parts.config.rate_limits.enabled) return nullptr;
    return std::make_unique<service::RateExchange>(limiter, *counters);
}

service::ServiceCeilings ceilings_of(const Config& config) {
    return {.grid_megapixels = config.limits.max_canvas_megapixels,
            .generated_tiles = config.limits.max_tiles_per_job,
            .storage = config.storage};
}

service::LinksConfig links_of(const Config& config) {
    service::LinksConfig links = config.links;
    links.keep_old_versions = config.retention.keep_old_versions;
    return links;
}

service::EventsConfig events_of(const Config& config) {
    service::EventsConfig events = config.events;
    events.kept = config.retention.ended_jobs;
    return events;
}

void append(std::vector<http::Route>& all, std::vector<http::Route> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

http::OpenApiOptions::AssetId asset_id_of(operations::SourceUse use) {
    using AssetId = http::OpenApiOptions::AssetId;
    switch (use) {
        case operations::SourceUse::required: return AssetId::required;
        case operations::SourceUse::optional: return AssetId::optional;
        case operations::SourceUse::refused: return AssetId::absent;
    }
    return AssetId::optional;
}

// Stands where an engine would: the OpenAPI document needs routes, and no route is called.
class NoEngine final : public engine::Prober, public engine::Previewer, public engine::Cutter {
    void probe_in_turn(int, const engine::Owner&, const engine::ProbeLimits&, Probed probed) override {
        probed(internal_error("no engine here"));
    }
    Result<void> check_room(const Uuid&) override { return {}; }
    void preview_in_turn(engine::PreviewTask, Previewed previewed) override {
        previewed(internal_error("no engine here"));
    }
    void cut_in_turn(engine::CutTask, Made made) override { made(internal_error("no engine here")); }
    void view_in_turn(engine::ViewTask, Made made) override { made(internal_error("no engine here")); }
};

}  // namespace

Api::Api(const ApiParts& parts)
    : scanner(make_scanner(parts.config.scanning)),
      registry(operations::Registry::built_in()),
      signer(parts.secrets, parts.config.signing),
      links(links_of(parts.config), signer),
      authenticator(parts.store, parts.clock, parts.config.identity),
      limiter(parts.config.rate_limits),
      rates(share_limits(limiter, parts)),
      plans(parts.store),
      accounts(parts.store.usage(), ceilings_of(parts.config)),
      uploads({.blobs = parts.blobs,
               .prober = parts.prober,
               .assets = parts.store.assets(),
               .clock = parts.clock,
               .scanner = scanner.get(),
               .usage = &parts.store.usage(),
               .maintenance = &parts.store.maintenance(),
               .storage = parts.config.storage,
               .disk = parts.disk,
               .scans_at_once = parts.config.scanning.at_once},
              parts.config.uploads),
      jobs(parts.store, registry, links, parts.clock, parts.config.limits, parts.config.storage),
      waits(parts.store, parts.config.waits),
      events(parts.store, events_of(parts.config), [](const auto& view) { return http::to_json(view); }),
      artifacts(parts.store, parts.blobs, signer, links, parts.clock),
      assets(parts.store, parts.blobs, signer, links, parts.clock),
      previews(parts.store, parts.blobs, assets, parts.previewer, parts.config.previews),
      usage(parts.store.daily_use(), parts.clock),
      tileset_records(parts.store, links, parts.clock),
      deletions(parts.store),
      tilesets(parts.store, parts.blobs, parts.clock, most_open_archives(parts.config)),
      tiles(tilesets, signer, parts.clock),
      pictures({.store = parts.store,
                .tilesets = tilesets,
                .tiles = tiles,
                .signer = signer,
                .links = links,
                .clock = parts.clock,
                .cutter = parts.cutter},
               parts.config.pictures),
      meter(tilesets, parts.store),
      asset_pictures({.store = parts.store,
                      .blobs = parts.blobs,
                      .signer = signer,
                      .links = links,
                      .clock = parts.clock,
                      .cutter = parts.cutter,
                      .meter = meter,
                      .made = pictures.made()},
                     parts.config.pictures),
      key_uses(authenticator, parts.store.api_keys()) {}

std::vector<http::Route> Api::routes(std::vector<http::Route> more) {
    std::vector<http::Route> all;
    append(all, http::account_routes(plans, accounts));
    append(all, http::usage_routes(usage));
    append(all, http::asset_routes(uploads));
    append(all, http::asset_read_routes(assets));
    append(all, http::preview_routes(previews));
    append(all, http::asset_iiif_routes(asset_pictures));
    append(all, http::job_list_routes(jobs));
    append(all, http::job_routes(jobs, &waits));
    append(all, http::event_routes(events));
    append(all, http::tile_routes(tiles));
    append(all, http::tileset_routes(tileset_records));
    append(all, http::iiif_routes(pictures));
    append(all, http::deep_zoom_routes(pictures));
    append(all, http::artifact_routes(artifacts));
    append(all, http::problem_routes());
    append(all, http::deletion_routes(deletions));
    append(all, std::move(more));
    http::add_openapi_routes(all, openapi_options(registry));
    return all;
}

http::OpenApiOptions openapi_options(const operations::Registry& registry) {
    http::OpenApiOptions options;
    options.version = version;
    for (const auto& operation : registry.all()) {
        http::OpenApiOptions::Operation documented{
            .name = std::string(operation->name()),
            .description = std::string(operation->description()),
            .options_schema = with_plain_numbers(boost::json::serialize(operation->options_schema())),
            .asset_id = asset_id_of(operation->source_use()),
            .example = std::string(operation->examples().request),
            .makes_tileset = operation->makes_tileset()};
        for (const auto& [name, rule] : operation->rules()) documented.rules.emplace_back(name, rule);
        options.operations.push_back(std::move(documented));
        const operations::Examples shown = operation->examples();
        if (!options.job_example && !shown.accepted_options.empty()) {
            options.job_example = {.operation = std::string(operation->name()),
                                   .options = std::string(shown.accepted_options),
                                   .metadata = std::string(shown.metadata)};
        }
    }
    options.refusal_example = registry.example(&operations::Examples::refusal);
    return options;
}

std::string openapi_text(const Config& config, OpenApiOf which) {
    log::set_sink({}, log::Level::warning);
    const TemporaryFolder folder;
    const DataFolder data = must(DataFolder::open(folder.path()));
    const SystemClock clock;
    Config plain;
    plain.limits = config.limits;
    const auto store = must(open_metadata(plain, data, clock));
    const auto blobs = must(open_blobs(plain, data));
    NoEngine none;
    Api api({.config = plain,
             .store = *store,
             .blobs = *blobs,
             .prober = none,
             .previewer = none,
             .cutter = none,
             .clock = clock,
             .secrets = {"unused"}});
    if (which == OpenApiOf::operators) {
        LoadedConfig loaded;
        loaded.config = plain;
        return Console({.loaded = loaded,
                        .store = *store,
                        .blobs = *blobs,
                        .clock = clock,
                        .limiter = api.limiter,
                        .node = {}})
            .openapi();
    }
    return http::openapi_document(api.routes(http::operational_routes(nullptr, nullptr, {})),
                                  openapi_options(api.registry));
}

}  // namespace tessera::app
