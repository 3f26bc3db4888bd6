#include "service/jobs/job_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <thread>

#include "core/hash.hpp"
#include "core/hex.hpp"
#include "metadata/accounts.hpp"
#include "metadata/assets.hpp"
#include "metadata/jobs.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/plans.hpp"
#include "metadata/queue.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "operations/registry.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::string_view origin = "http://example.test";
constexpr Millis keep_old_versions = 2h;  // as LinksConfig has it

class JobServiceTest : public testing::Test {
  protected:
    void SetUp() override {
        store_ = std::move(*metadata::open_sqlite((folder_ / "test.db").string(), clock_));
        plan_.code = "test";
        plan_.included_processing_credits = 1000;
        ASSERT_TRUE(store_->plans().apply(std::span(&plan_, 1)));
        principal_ = principal_of(*store_->accounts().create({"tester", "Tester", "test"}));
        other_ = principal_of(*store_->accounts().create({"other", "Other", "test"}));
        asset_ = insert_asset(principal_, 4000, 3000);
        make_service();
    }
    void TearDown() override {
        service_.reset();
        store_.reset();
    }

    void make_service(operations::WorkerLimits limits = {}) {
        service_ = std::make_unique<JobService>(*store_, registry_, links_, clock_, limits);
    }
    Principal principal_of(const Account& account) const {
        Principal principal;
        principal.account = account;
        principal.plan = plan_;
        return principal;
    }
    Asset insert_asset(const Principal& owner, std::int64_t width, std::int64_t height,
                       std::optional<Timestamp> expires_at = {}) {
        Asset asset;
        asset.id = Uuid::time_ordered();
        asset.account_id = owner.account.id;
        asset.image.width = width;
        asset.image.height = height;
        asset.checksum_sha256 = to_hex(sha256(asset.id.to_string()));
        asset.storage_key = "assets/" + asset.checksum_sha256;
        asset.byte_size = 1;
        asset.created_at = clock_.now();
        asset.expires_at = expires_at;
        EXPECT_TRUE(store_->assets().insert(asset, 0));
        return asset;
    }
    std::string body(std::string_view options = R"({"width":800})", std::string_view operation = "resize") const {
        return R"({"asset_id":")" + asset_.id.to_string() + R"(","operation":")" + std::string(operation) +
               R"(","options":)" + std::string(options) + "}";
    }
    Result<SubmittedJob> submit(std::string_view text, std::optional<std::string_view> key = {}) {
        return service_->submit(principal_, text, key, {.origin = origin});
    }
    std::string refusal(std::string_view text, std::optional<std::string_view> key = {}) {
        const auto submitted = submit(text, key);
        return submitted ? "accepted" : submitted.error().message;
    }
    ErrorCode code_of(const Result<SubmittedJob>& submitted) {
        EXPECT_FALSE(submitted.ok());
        return submitted ? ErrorCode::internal_error : submitted.error().code;
    }
    std::int64_t credits_used() { return store_->usage().current(principal_.account.id)->credits_used; }

    const test::TemporaryFolder folder_;
    ManualClock clock_{*from_iso8601("2026-03-01T12:00:00Z")};
    std::unique_ptr<metadata::Store> store_;
    operations::Registry registry_ = operations::Registry::built_in();
    Signer signer_{{"secret"}, {}};
    Links links_{{}, signer_};
    Plan plan_;
    Principal principal_;
    Principal other_;
    Asset asset_;
    std::unique_ptr<JobService> service_;
};

TEST_F(JobServiceTest, AnAcceptedJobIsQueuedWithItsDefaultsFilledIn) {
    const auto submitted = submit(body());
    ASSERT_TRUE(submitted) << submitted.error().message;
    const Job& job = submitted->view.job;
    EXPECT_FALSE(submitted->replayed);
    EXPECT_EQ(job.status, JobStatus::queued);
    EXPECT_EQ(job.asset_id, asset_.id);
    EXPECT_EQ(job.attempt_count, 0);
    EXPECT_EQ(job.max_attempts, 3);
    EXPECT_TRUE(job.artifacts.empty());
    EXPECT_EQ(job.result_json, "{}");
    EXPECT_THAT(job.options_json, HasSubstr("\"quality\":80"));
    EXPECT_THAT(job.options_json, HasSubstr("\"fit\":\"inside\""));
    EXPECT_EQ(credits_used(), 12);
}

TEST_F(JobServiceTest, RequestsOfTheWrongShapeAreRefusedInTheWordsOfTheInterface) {
    const std::string id = asset_.id.to_string();
    EXPECT_EQ(refusal("[]"), "the body must be a JSON object");
    EXPECT_EQ(refusal("{}"), "unsupported operation");
    EXPECT_EQ(refusal(R"({"operation":7,"options":{}})"), "unsupported operation");
    EXPECT_EQ(refusal(R"({"operation":"rotate","options":{}})"), "unsupported operation");
    EXPECT_EQ(refusal(R"({"operation":"resize","asset_id":")" + id + "\"}"), "options object is required");
    for (const char* options : {"null", "[]", "\"x\"", "1", "true"}) {
        EXPECT_EQ(refusal(body(options)), "options object is required") << options;
    }
    EXPECT_EQ(refusal(R"({"operation":"resize","options":{"width":1},"asset_id":"nonsense"})"),
              "asset_id must be a valid uuid");
    EXPECT_EQ(refusal(R"({"operation":"resize","options":{"width":1},"asset_id":null})"),
              "asset_id must be a valid uuid");
    EXPECT_EQ(refusal(R"({"operation":"resize","options":{"width":1},"asset":"x"})"), "unknown field 'asset'");
    EXPECT_EQ(refusal(R"({"operation":"resize","options":{"width":1}})"), "resize requires asset_id");
    EXPECT_EQ(refusal(body("{}")), "resize requires width or height");
    EXPECT_THAT(refusal(body(R"({"width":800,"widht":1})")), HasSubstr("widht"));
    EXPECT_EQ(credits_used(), 0);
}

TEST_F(JobServiceTest, SomebodyElsesAssetIsNotFound) {
    const auto mine = service_->submit(other_, body(), {}, {.origin = origin});
    EXPECT_EQ(code_of(mine), ErrorCode::asset_not_found);
    EXPECT_EQ(mine.error().message, "asset not found");
}

TEST_F(JobServiceTest, KeysAreChecked) {
    const std::string longest(128, 'k');
    for (const std::string& good : {std::string("12345678"), longest, std::string("aZ09._:-")}) {
        EXPECT_TRUE(submit(body(), good)) << good;
    }
    for (const std::string& wrong : {std::string(), std::string("1234567"), longest + "k"}) {
        EXPECT_EQ(refusal(body(), wrong), "invalid_idempotency_key") << wrong;
    }
    for (int c = 0; c < 256; ++c) {
        const bool allowed = std::isalnum(c) != 0 || c == '.' || c == '_' || c == ':' || c == '-';
        const std::string key = "1234567" + std::string(1, static_cast<char>(c)) + std::to_string(c);
        EXPECT_EQ(refusal(body(), key), allowed && c < 128 ? "accepted" : "invalid_idempotency_key") << c;
    }
}

TEST_F(JobServiceTest, AReplayReturnsTheFirstJobHoweverTheRequestIsSpelled) {
    const auto first = submit(body(), "the same key");
    ASSERT_FALSE(first);  // a space is no character of a key
    const auto accepted = submit(body(), "the-same-key");
    ASSERT_TRUE(accepted);
    const auto again = submit(body(R"( { "quality" : 80.0, "fit":"inside", "width" : 800 } )"), "the-same-key");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->replayed);
    EXPECT_EQ(again->view.job.id, accepted->view.job.id);
    EXPECT_EQ(credits_used(), 12);
}

TEST_F(JobServiceTest, AKeyUsedForOtherWorkIsAConflict) {
    ASSERT_TRUE(submit(body(), "the-same-key"));
    EXPECT_EQ(code_of(submit(body(R"({"width":801})"), "the-same-key")), ErrorCode::idempotency_conflict);
    EXPECT_TRUE(service_->submit(other_, body(), "the-same-key", {.origin = origin}).error().code ==
                ErrorCode::asset_not_found);
    EXPECT_EQ(credits_used(), 12);
}

TEST_F(JobServiceTest, AReplayIsAnsweredEvenWhereTheRequestWouldNotBeAcceptedToday) {
    asset_ = insert_asset(principal_, 100, 100, clock_.now() + 1h);
    const auto first = submit(body(), "the-same-key");
    ASSERT_TRUE(first);
    principal_.plan.included_processing_credits = 0;
    principal_.plan.limits.max_input_edge_pixels = 10;
    auto again = submit(body(), "the-same-key");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->replayed);
    clock_.advance(2h);
    again = submit(body(), "the-same-key");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->view.job.id, first->view.job.id);
    EXPECT_EQ(code_of(submit(body(R"({"width":801})"), "the-same-key")), ErrorCode::idempotency_conflict);
    EXPECT_EQ(code_of(submit(body())), ErrorCode::asset_not_found);
}

TEST_F(JobServiceTest, AKeyWhoseJobIsGoneGetsNoRequestPastTheCaps) {
    const auto first = submit(body(), "the-same-key");
    ASSERT_TRUE(first);
    const auto claimed = store_->queue().claim({"worker", metadata::Lane::any, 1, Millis(1000)});
    ASSERT_TRUE(store_->queue().complete(claimed->front().lease, {}));
    clock_.advance(48h);
    ASSERT_EQ(*store_->maintenance().remove_ended_jobs(clock_.now(), 100), 1) << "before the key is swept";
    principal_.plan.limits.max_input_edge_pixels = 10;
    EXPECT_EQ(code_of(submit(body(), "the-same-key")), ErrorCode::plan_limit_exceeded);
    principal_.plan.limits.max_input_edge_pixels.reset();
    const auto anew = submit(body(), "the-same-key");
    ASSERT_TRUE(anew) << anew.error().message;
    EXPECT_FALSE(anew->replayed);
    EXPECT_NE(anew->view.job.id, first->view.job.id);
}

TEST_F(JobServiceTest, SimultaneousIdenticalRequestsMakeOneJobAndOneCharge) {
    std::latch go(64);
    std::atomic<int> created{0};
    std::atomic<int> replayed{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 64; ++i) {
        clients.emplace_back([&] {
            go.arrive_and_wait();
            const auto submitted = submit(body(), "the-same-key");
            ASSERT_TRUE(submitted) << submitted.error().message;
            ++(submitted->replayed ? replayed : created);
        });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(created, 1);
    EXPECT_EQ(replayed, 63);
    EXPECT_EQ(credits_used(), 12);
}

TEST_F(JobServiceTest, SimultaneousConflictingRequestsMakeOneJob) {
    std::latch go(64);
    std::atomic<int> created{0};
    std::atomic<int> conflicts{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 64; ++i) {
        clients.emplace_back([&, i] {
            go.arrive_and_wait();
            const auto submitted = submit(body(R"({"width":)" + std::to_string(100 + i) + "}"), "the-same-key");
            if (submitted) {
                ++created;
            } else if (submitted.error().code == ErrorCode::idempotency_conflict) {
                ++conflicts;
            }
        });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(created, 1);
    EXPECT_EQ(conflicts, 63);
    EXPECT_EQ(credits_used(), 12);
}

TEST_F(JobServiceTest, LimitsOfTheServiceComeBeforeThoseOfThePlan) {
    principal_.plan.limits.max_input_megapixels = 1;
    EXPECT_EQ(code_of(submit(body())), ErrorCode::plan_limit_exceeded);
    EXPECT_THAT(refusal(body()), HasSubstr("max_input_megapixels"));
    operations::WorkerLimits limits;
    limits.max_input_megapixels = 1;
    make_service(limits);
    EXPECT_EQ(code_of(submit(body())), ErrorCode::worker_capacity_exceeded);
    EXPECT_EQ(credits_used(), 0);
}

TEST_F(JobServiceTest, CreditsRunOutExactly) {
    principal_.plan.included_processing_credits = 30;
    EXPECT_TRUE(submit(body()));
    EXPECT_TRUE(submit(body()));
    EXPECT_EQ(code_of(submit(body())), ErrorCode::credits_exhausted);
    EXPECT_EQ(credits_used(), 24);
}

TEST_F(JobServiceTest, JobsInFlightAreCapped) {
    principal_.plan.limits.max_in_flight_jobs = 2;
    EXPECT_TRUE(submit(body()));
    EXPECT_TRUE(submit(body()));
    EXPECT_EQ(code_of(submit(body())), ErrorCode::in_flight_limit_exceeded);
    const auto claimed = store_->queue().claim({"worker", metadata::Lane::any, 1, Millis(1000)});
    ASSERT_EQ(claimed->size(), 1U);
    EXPECT_EQ(code_of(submit(body())), ErrorCode::in_flight_limit_exceeded);
    ASSERT_TRUE(store_->queue().complete(claimed->front().lease, {}));
    EXPECT_TRUE(submit(body()));
}

TEST_F(JobServiceTest, InspectionKnowsOneAccountsJobsOnly) {
    const Uuid id = submit(body())->view.job.id;
    EXPECT_EQ(service_->inspect(principal_, id.to_string(), origin)->job.id, id);
    EXPECT_EQ(service_->inspect(other_, id.to_string(), origin).error().message, "job not found");
    EXPECT_EQ(service_->inspect(principal_, Uuid::random().to_string(), origin).error().message, "job not found");
    for (const char* wrong : {"", "1", "nonsense", "0190aaaa-0000-7000-8000-00000000000"}) {
        EXPECT_EQ(service_->inspect(principal_, wrong, origin).error().message, "invalid job id");
    }
}

class TileResultTest : public JobServiceTest {
  protected:
    // Version `based_on` + 1.
    Uuid finished_tile_job(std::int64_t based_on = 0) {
        const Uuid id = submit(body())->view.job.id;
        const auto claimed = store_->queue().claim({"worker", metadata::Lane::any, 1, Millis(1000)});
        metadata::Completion completion;
        completion.tileset.emplace();
        completion.tileset->tileset_id = tileset_id_;
        completion.tileset->based_on = based_on;
        completion.tileset->geometry.format = ImageFormat::webp;
        completion.tileset->layers = {{"tilesets/x" + std::to_string(based_on), 1}};
        completion.tileset->expires_at = clock_.now() + 24h;
        completion.result_json = R"({"tileset_id":")" + tileset_id_.to_string() + R"(","version":)" +
                                 std::to_string(based_on + 1) + R"(,"format":"webp"})";
        EXPECT_EQ(*store_->queue().complete(claimed->front().lease, completion), metadata::CompleteAnswer::done);
        return id;
    }
    TilesetResult view_of(const Uuid& id) {
        const auto view = service_->inspect(principal_, id.to_string(), origin);
        return view && view->tileset ? *view->tileset : TilesetResult();
    }
    static std::int64_t expiry_of(const std::string& address) {
        return std::stoll(address.substr(address.find("expires=") + 8));
    }
    void entitle(bool enabled) {
        principal_.entitlements = {
            {std::string(cdn_delivery_feature), enabled, "active", "admin", "tessera", "", false}};
    }
    Uuid tileset_id_ = Uuid::time_ordered();
};

TEST_F(TileResultTest, NamesTheTilesetToEntitledAccountsOnly) {
    const Uuid id = finished_tile_job();
    EXPECT_FALSE(service_->inspect(principal_, id.to_string(), origin)->tileset);
    entitle(true);
    const auto view = *service_->inspect(principal_, id.to_string(), origin);
    ASSERT_TRUE(view.tileset);
    EXPECT_EQ(view.tileset->version, 1);
    EXPECT_EQ(view.tileset->format, ImageFormat::webp);
    const std::string start =
        "http://example.test/cdn/tilesets/" + tileset_id_.to_string() + "/v/1/xyz/{z}/{x}/{y}.webp?expires=";
    EXPECT_EQ(view.tileset->url_template.substr(0, start.size()), start);
    clock_.advance(1min);
    EXPECT_EQ(service_->inspect(principal_, id.to_string(), origin)->tileset->url_template, view.tileset->url_template);
    entitle(false);
    EXPECT_FALSE(service_->inspect(principal_, id.to_string(), origin)->tileset);
}

TEST_F(TileResultTest, HandsOutNoAddressesOfATilesetThatIsGone) {
    entitle(true);
    const Uuid id = finished_tile_job();
    EXPECT_FALSE(view_of(id).url_template.empty());
    clock_.advance(25h);
    EXPECT_EQ(view_of(id).url_template, "");
    EXPECT_EQ(view_of(id).tileset_id, tileset_id_) << "what the job made stays known";
}

TEST_F(TileResultTest, TheAddressOfAReplacedVersionEndsWhenItsTilesDo) {
    entitle(true);
    const Uuid first = finished_tile_job();
    const Uuid second = finished_tile_job(1);
    clock_.advance(keep_old_versions - 1min);
    const std::string address = view_of(first).url_template;
    ASSERT_FALSE(address.empty());
    EXPECT_LE(expiry_of(address), to_unix_seconds(clock_.now() + 1min));
    EXPECT_GT(expiry_of(view_of(second).url_template), to_unix_seconds(clock_.now() + 1min));

    clock_.advance(1min);
    EXPECT_EQ(view_of(first).url_template, "") << "although nothing was swept yet";
    ASSERT_TRUE(store_->maintenance().remove_expired({100, keep_old_versions, Millis(0)}).ok());
    const TilesetResult made = view_of(first);
    EXPECT_EQ(made.tileset_id, tileset_id_);
    EXPECT_EQ(made.version, 1);
    EXPECT_EQ(made.format, ImageFormat::webp);
    EXPECT_EQ(made.url_template, "");
    EXPECT_FALSE(view_of(second).url_template.empty());
}

}  // namespace
}  // namespace tessera::service
