#include "replay_world.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace tessera::service {

namespace json = boost::json;
using namespace std::chrono_literals;
using metadata::must;

namespace {

constexpr std::int64_t first_size = 1000;  // of tilesets
constexpr std::int64_t edge_cap = 900;     // of pictures: some canvases are over it

// Every cap at the least: nothing would be accepted any more.
PlanLimits nothing_allowed() {
    PlanLimits limits;
    limits.max_input_edge_pixels = limits.max_input_megapixels = limits.max_output_edge_pixels = 0;
    limits.max_output_megapixels = limits.max_generated_tiles_per_job = limits.max_grid_render_megapixels = 0;
    limits.max_tile_patch_megapixels_per_job = limits.max_tile_patch_patches_per_job = limits.max_in_flight_jobs = 0;
    return limits;
}

Entitlement cdn_delivery(bool enabled) {
    return {std::string(cdn_delivery_feature), enabled, "active", "admin", "tessera", "", false};
}

}  // namespace

void ReplayWorld::begin(unsigned seed) {
    random_.seed(seed);
    principal_.account = make_account("seed-" + std::to_string(seed));
    principal_.plan = must(store->plans().all()).front();
    principal_.plan.limits.max_output_edge_pixels = edge_cap;
    principal_.entitlements = {cdn_delivery(true)};
    start_node({});
    const auto soon = clock.now() + 1h;
    assets_ = {add_asset(ImageFormat::png, true, {}), add_asset(ImageFormat::jpeg, false, soon),
               add_asset(ImageFormat::gif, true, soon), add_asset(ImageFormat::heif, false, {})};
    tilesets_.clear();
    for (int i = 0; i < 3; ++i) queue_tile_job({});
    run_queue(first_size);
    for (const Tileset& made : must(store->tilesets().list(principal_.account.id))) tilesets_.push_back(made.id);
}

void ReplayWorld::start_node(const operations::WorkerLimits& limits) {
    LinksConfig config;
    config.cdn_url = perhaps() ? "https://tiles.example.test" : "";
    links_ = std::make_unique<Links>(config, signer_);
    service_ = std::make_unique<JobService>(*store, registry_, *links_, clock, limits);
}

Result<SubmittedJob> ReplayWorld::submit(const json::object& request, const std::string& key) {
    return service_->submit(principal_, json::serialize(request), key, {.origin = "http://example.test"});
}

Uuid ReplayWorld::add_asset(ImageFormat format, bool has_alpha, std::optional<Timestamp> expires_at) {
    Asset asset = make_asset(principal_.account, "assets/" + Uuid::random().to_string());
    asset.image = {format, 800, 600, 1, has_alpha, 8, "srgb"};
    asset.expires_at = expires_at;
    must(store->assets().insert(asset, 0));
    return asset.id;
}

void ReplayWorld::queue_tile_job(std::optional<Uuid> tileset) {
    metadata::Submission submission = StoreTest::submission(principal_.account);
    submission.job.operation = "tile";
    submission.job.tileset_id = tileset;
    StoreTest::submit(submission);
}

std::optional<metadata::Completion> ReplayWorld::outcome_of(const Job& job, std::int64_t size) {
    metadata::Completion completion;
    if (job.operation == "resize" || job.operation == "optimize") {
        completion.artifacts = {artifact("artifacts/" + Uuid::random().to_string())};
        completion.artifacts[0].expires_at = clock.now() + 1h;
        return completion;
    }
    metadata::TilesetChange change;
    change.tileset_id = job.tileset_id.value_or(Uuid::time_ordered());
    change.geometry = {ImageFormat::png, 256, size, size, 0, 2};
    change.layers = {{"tilesets/" + Uuid::random().to_string(), 1}};
    change.expires_at = clock.now() + 3h;
    const auto now = must(store->tilesets().find_any(change.tileset_id));
    if (job.tileset_id && !now) return std::nullopt;
    if (now) {
        change.based_on = now->current.version;
        change.append = job.operation == "tile_patch";
        if (change.append) change.geometry = now->current.geometry;
    }
    completion.result_json = json::serialize(json::object{
        {"tileset_id", change.tileset_id.to_string()}, {"version", change.based_on + 1}, {"format", "png"}});
    completion.tileset = change;
    return completion;
}

void ReplayWorld::run_queue(std::int64_t size) {
    for (auto claimed = claim(16); !claimed.empty(); claimed = claim(16)) {
        for (const metadata::ClaimedJob& one : claimed) {
            if (const auto outcome = outcome_of(one.job, size)) {
                EXPECT_EQ(must(store->queue().complete(one.lease, *outcome)), metadata::CompleteAnswer::done);
            } else {
                must(store->queue().fail(one.lease, {JobErrorCode::source_unavailable, "the tileset is gone", ""}, {}));
            }
        }
    }
}

std::vector<ReplayWorld::Change> ReplayWorld::changes() {
    std::vector<Change> all{
        {"nothing", [] {}},
        {"the plan's caps fall", [this] { principal_.plan.limits = nothing_allowed(); }},
        {"the plan's caps go", [this] { principal_.plan.limits = {}; }},
        {"the plan's credits are gone", [this] { principal_.plan.included_processing_credits = 0; }},
        {"another plan", [this] { principal_.plan = Plan(); }},
        {"the workers' limits fall",
         [this] {
             start_node({0, 0, 0, 0, 0, 0});
         }},
        {"the workers' limits rise",
         [this] {
             start_node({1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20});
         }},
        {"the entitlement ends", [this] { principal_.entitlements = {cdn_delivery(false)}; }},
        {"the entitlement is back", [this] { principal_.entitlements = {cdn_delivery(true)}; }},
        {"jobs run", [this] { run_queue(first_size); }},
        {"a tileset shrinks",
         [this] {
             if (!must(store->tilesets().find(principal_.account.id, tilesets_[0]))) return;
             queue_tile_job(tilesets_[0]);
             run_queue(1);
         }},
        {"a tileset is deleted", [this] { must(store->tilesets().remove(tilesets_[1])); }},
        {"assets and tilesets expire", [this] { clock.advance(20h); }},
        {"what expired is swept", [this] { must(store->maintenance().remove_expired({})); }},
    };
    std::ranges::shuffle(all, random_);
    return all;
}

json::object ReplayWorld::request_of(std::string_view operation) {
    if (operation == "resize") return resize();
    if (operation == "optimize") return optimize();
    if (operation == "tile") return tile();
    if (operation == "grid_render") return grid_render();
    return tile_patch();
}

json::object ReplayWorld::resize() {
    json::object options{{"width", 1 + upto(500)}};
    if (perhaps()) options["height"] = 1 + upto(500);
    if (perhaps()) options["format"] = perhaps() ? "jpeg" : "webp";
    if (perhaps()) options["background"] = "#FFF";
    return {{"operation", "resize"}, {"asset_id", asset()}, {"options", options}};
}

json::object ReplayWorld::optimize() {
    json::object options{{"quality", 1 + upto(100)}};
    if (perhaps()) options["format"] = perhaps() ? "png" : "avif";
    return {{"operation", "optimize"}, {"asset_id", asset()}, {"options", options}};
}

json::object ReplayWorld::tile() {
    json::object options{{"quality", 1 + upto(100)}};
    if (perhaps()) options["format"] = perhaps() ? "jpeg" : "png";
    if (perhaps()) options["background"] = "#abc";
    if (perhaps()) options["tileset_id"] = tileset();
    return {{"operation", "tile"}, {"asset_id", asset()}, {"options", options}};
}

json::object ReplayWorld::grid_render() {
    json::array blocks{json::object{{"column", 0}, {"row", 0}, {"color", "#F00"}}};
    if (perhaps()) blocks.emplace_back(json::object{{"row", 1}, {"column", 0}, {"asset_id", asset()}});
    json::object options{
        {"width", 400 + upto(1000)}, {"height", 400 + upto(1000)}, {"block_width", 100}, {"blocks", blocks}};
    if (perhaps()) options["block_height"] = 50;
    if (upto(4) == 0) options["artifact"] = "archive";
    return {{"operation", "grid_render"}, {"options", options}};
}

json::object ReplayWorld::tile_patch() {
    json::array patches{json::object{{"x", upto(900)}, {"y", 900}, {"width", 100}, {"height", 100}, {"color", "#0f0"}}};
    if (perhaps()) {
        patches.emplace_back(json::object{{"fit", "cover"}, {"x", 0}, {"y", upto(900)}, {"width", 9}, {"height", 9}});
    } else {
        patches.emplace_back(json::object{{"asset_id", asset()}, {"x", 5}, {"y", 5}, {"width", 9}, {"height", 9}});
    }
    return {{"operation", "tile_patch"},
            {"asset_id", asset()},
            {"options", {{"tileset_id", tileset()}, {"patches", patches}}}};
}

}  // namespace tessera::service
