#include "service/uploads/upload_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <latch>
#include <mutex>
#include <random>

#include "blobs/filesystem/filesystem_store.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "engine/host/probe.hpp"
#include "metadata/assets.hpp"
#include "service/uploads/scanner.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::service {

namespace fs = std::filesystem;

namespace {

class FakeProber final : public engine::Prober {
  public:
    void probe_in_turn(int file, const engine::Owner& owner, const engine::ProbeLimits& limits,
                       Probed probed) override {
        seen_size = *size_of(file);
        seen_limits = limits;
        seen_owner = owner;
        if (hold) {
            held.push_back(std::move(probed));
        } else {
            probed(answer);
        }
    }
    Result<void> check_room(const Uuid&) override { return room; }
    Result<void> room;
    bool hold = false;
    std::vector<Probed> held;
    Result<ImageInfo> answer = ImageInfo{ImageFormat::png, 640, 480, 1, false, 8, "srgb"};
    std::uint64_t seen_size = 0;
    engine::ProbeLimits seen_limits;
    engine::Owner seen_owner;
};

class FakeAssets final : public metadata::Assets {
  public:
    using Assets::insert;
    Result<metadata::AssetInserted> insert(const Asset& asset, std::int64_t token,
                                           const metadata::StorageLimits& /*limits*/) override {
        const std::lock_guard lock(mutex);
        tokens.push_back(token);
        if (before_insert) before_insert();
        if (!answers.empty()) {
            auto answer = answers.front();
            answers.erase(answers.begin());
            if (!answer || answer->answer != metadata::AssetInsert::stored) return answer;
        }
        rows.push_back(asset);
        return metadata::AssetInserted{};
    }
    Result<std::optional<Asset>> find(Uuid, Uuid) override { return std::optional<Asset>(); }
    Result<std::vector<Asset>> find_all(Uuid, std::span<const Uuid>) override { return std::vector<Asset>(); }

    std::mutex mutex;
    std::vector<Result<metadata::AssetInserted>> answers;
    std::function<void()> before_insert;
    std::vector<std::int64_t> tokens;
    std::vector<Asset> rows;
};

class FakeScanner final : public Scanner {
  public:
    Result<void> scan(int, std::uint64_t size) override {
        scanned = size;
        return answer;
    }
    Result<void> check() override { return {}; }
    Result<void> answer;
    std::optional<std::uint64_t> scanned;
};

std::string png(std::size_t size) {
    std::string text = "\x89PNG\r\n\x1a\n";
    std::mt19937 random(3);
    while (text.size() < size) text += static_cast<char>(random());
    return text;
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class UploadServiceTest : public testing::Test {
  protected:
    void SetUp() override {
        store = *blobs::open_filesystem_store(folder);
        principal = std::make_shared<Principal>();
        principal->account.id = Uuid::random();
        principal->plan.limits.max_upload_bytes = 100'000;
        principal->plan.limits.max_input_edge_pixels = 5000;
        principal->plan.limits.max_input_megapixels = 20;
        principal->plan.limits.retention_ttl_seconds = 3600;
    }
    void TearDown() override { store.reset(); }

    std::unique_ptr<Upload> begin(std::string_view filename = "a.png") {
        service.emplace(UploadParts{*store, prober, assets, clock, scanner}, UploadsConfig{.max_bytes = 1'000'000});
        return *service->begin(principal, filename, 0, {});
    }
    Result<Asset> upload(std::string_view content) {
        auto one = begin();
        auto written = one->write(bytes_of(content));
        if (!written) return written.error();
        return finish(std::move(one));
    }
    // What becomes of it. The upload itself is gone by then.
    static Result<Asset> finish(std::unique_ptr<Upload> one) {
        const auto promise = std::make_shared<std::promise<Result<Asset>>>();
        one->finish([promise](Result<Asset> asset) { promise->set_value(std::move(asset)); });
        one.reset();
        return promise->get_future().get();
    }
    [[nodiscard]] std::size_t files() const {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            count += entry.is_regular_file() && entry.path().filename() != ".lock" ? 1U : 0U;
        return count;
    }

    const test::TemporaryFolder folder;
    std::unique_ptr<blobs::BlobStore> store;
    FakeProber prober;
    FakeAssets assets;
    FakeScanner fake_scanner;
    Scanner* scanner = nullptr;
    ManualClock clock{*from_iso8601("2026-01-02T03:04:05.678Z")};
    std::shared_ptr<Principal> principal;
    std::optional<UploadService> service;
};

}  // namespace

TEST_F(UploadServiceTest, StoresTheBytesAndARowThatDescribesThem) {
    const auto content = png(5000);
    auto one = begin("../x/\npicture.png");
    for (const char c : content) ASSERT_TRUE(one->write(bytes_of({&c, 1})));
    const auto asset = finish(std::move(one));
    ASSERT_TRUE(asset) << asset.error().detail;
    EXPECT_EQ(asset->account_id, principal->account.id);
    EXPECT_EQ(asset->original_filename, "picture.png");
    EXPECT_EQ(asset->checksum_sha256, to_hex(sha256(content)));
    EXPECT_EQ(asset->byte_size, 5000);
    EXPECT_EQ(asset->image.width, 640);
    EXPECT_EQ(asset->storage_key, "assets/" + principal->account.id.to_string() + "/" + asset->checksum_sha256);
    EXPECT_EQ(asset->created_at, clock.now());
    EXPECT_EQ(asset->expires_at, clock.now() + std::chrono::hours(1));
    EXPECT_EQ(prober.seen_size, 5000U);
    EXPECT_EQ(prober.seen_limits.max_edge_pixels, 5000);
    EXPECT_EQ(prober.seen_limits.max_megapixels, 20);
    EXPECT_EQ(prober.seen_owner.account_id, principal->account.id);
    ASSERT_EQ(assets.rows.size(), 1U);
    EXPECT_EQ(assets.rows[0].id, asset->id);

    auto blob = store->open(*blobs::BlobKey::parse(asset->storage_key));
    ASSERT_TRUE(blob);
    EXPECT_EQ((*blob)->size(), 5000U);
}

TEST_F(UploadServiceTest, TheBlobIsThereBeforeTheRowIs) {
    const auto content = png(100);
    const auto key = *blobs::asset_key(principal->account.id, to_hex(sha256(content)));
    bool there = false;
    assets.before_insert = [&] { there = store->open(key).ok(); };
    ASSERT_TRUE(upload(content));
    EXPECT_TRUE(there);
}

TEST_F(UploadServiceTest, TheSameBytesTwiceAreTwoAssetsAndOneBlob) {
    const auto first = upload(png(1000));
    const auto second = upload(png(1000));
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->id, second->id);
    EXPECT_EQ(first->storage_key, second->storage_key);
    EXPECT_EQ(files(), 1U);
}

TEST_F(UploadServiceTest, SomethingElseIsRefusedAtItsFirstBytesAndNeverTouchesTheDisk) {
    auto one = begin();
    const auto written =
        one->write(bytes_of("%PDF-1.7 and more than enough bytes to tell what this is, sixty-four at least"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::unsupported_media_type);
    EXPECT_EQ(files(), 0U);

    auto slow = begin();
    Result<void> step;
    int given = 0;
    const std::string svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">" + std::string(100, ' ');
    for (const char c : svg) {
        step = slow->write(bytes_of({&c, 1}));
        if (!step) break;
        ++given;
    }
    ASSERT_FALSE(step);
    EXPECT_LE(given, 64);
}

TEST_F(UploadServiceTest, AnEmptyOrTinyFileIsNotAnImage) {
    EXPECT_EQ(finish(begin()).error().code, ErrorCode::unsupported_media_type);
    EXPECT_EQ(upload("x").error().code, ErrorCode::unsupported_media_type);
    EXPECT_EQ(files(), 0U);
}

TEST_F(UploadServiceTest, TheCapCutsAtTheFirstByteBeyondIt) {
    EXPECT_TRUE(upload(png(100'000)));
    const auto files_before = files();
    auto one = begin();
    ASSERT_TRUE(one->write(bytes_of(png(100'000))));
    const auto beyond = one->write(bytes_of("x"));
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().code, ErrorCode::upload_too_large);
    EXPECT_NE(beyond.error().message.find("100000"), std::string::npos);
    EXPECT_EQ(files(), files_before);
}

TEST_F(UploadServiceTest, TheServicesOwnCapHoldsWhereAPlanHasNoneOrMore) {
    (void)begin();
    EXPECT_EQ(service->max_bytes(*principal), 100'000);
    principal->plan.limits.max_upload_bytes.reset();
    EXPECT_EQ(service->max_bytes(*principal), 1'000'000);
    principal->plan.limits.max_upload_bytes = 5'000'000;
    EXPECT_EQ(service->max_bytes(*principal), 1'000'000);
}

TEST_F(UploadServiceTest, AnUploadThatIsDroppedLeavesNothing) {
    {
        auto one = begin();
        ASSERT_TRUE(one->write(bytes_of(png(50'000))));
        EXPECT_EQ(files(), 1U);
    }
    EXPECT_EQ(files(), 0U);
}

TEST_F(UploadServiceTest, WhatTheProbeRefusesIsNotKept) {
    prober.answer = Error{ErrorCode::image_too_large, "the image is too large", ""};
    EXPECT_EQ(upload(png(1000)).error().code, ErrorCode::image_too_large);
    prober.answer = Error{ErrorCode::unsupported_media_type, "the image is damaged", ""};
    EXPECT_EQ(upload(png(1000)).error().code, ErrorCode::unsupported_media_type);
    EXPECT_EQ(files(), 0U);
    EXPECT_TRUE(assets.rows.empty());
}

TEST_F(UploadServiceTest, AScannerSeesTheWholeFileFirstAndItsWordIsFinal) {
    scanner = &fake_scanner;
    ASSERT_TRUE(upload(png(7000)));
    EXPECT_EQ(fake_scanner.scanned, 7000U);

    prober.seen_size = 0;
    for (const ErrorCode code : {ErrorCode(ErrorCode::upload_rejected), ErrorCode(ErrorCode::scanning_unavailable)}) {
        fake_scanner.answer = Error{code, "no", ""};
        EXPECT_EQ(upload(png(8000)).error().code, code);
        EXPECT_EQ(prober.seen_size, 0U) << "nothing parses what was not cleared";
        EXPECT_EQ(files(), 1U);
    }
}

TEST_F(UploadServiceTest, ABlobThatWasSweptAtTheSameInstantIsWrittenAgain) {
    const auto content = png(3000);
    const auto key = *blobs::asset_key(principal->account.id, to_hex(sha256(content)));
    assets.answers = {metadata::AssetInserted{metadata::AssetInsert::blob_being_deleted, 0},
                      metadata::AssetInserted{metadata::AssetInsert::write_blob_again, 77}};
    assets.before_insert = [&] {
        if (assets.tokens.size() < 3) {
            EXPECT_TRUE(store->remove(key));
        }
    };
    ASSERT_TRUE(upload(content));
    EXPECT_EQ(assets.tokens, (std::vector<std::int64_t>{0, 0, 77}));
    EXPECT_TRUE(store->open(key).ok());
}

TEST_F(UploadServiceTest, ADatabaseThatFailsIsReportedAndNothingIsStaged) {
    assets.answers = {storage_unavailable("database is away")};
    EXPECT_EQ(upload(png(100)).error().code, ErrorCode::storage_unavailable);
    EXPECT_TRUE(assets.rows.empty());
}

TEST_F(UploadServiceTest, NobodyWaitsForAnUploadWhoseTurnIsNotYet) {
    prober.hold = true;
    (void)begin();
    constexpr int count = 200;
    std::latch stored(count);
    for (int i = 0; i < count; ++i) {
        auto one = *service->begin(principal, "a.png", 0, {});
        ASSERT_TRUE(one->write(bytes_of(png(100 + static_cast<std::size_t>(i)))));
        one->finish([&](Result<Asset> asset) {
            EXPECT_TRUE(asset.ok());
            stored.count_down();
        });
    }
    EXPECT_EQ(prober.held.size(), static_cast<std::size_t>(count)) << "all on this thread";
    for (const auto& probed : prober.held) probed(prober.answer);
    stored.wait();
}

TEST_F(UploadServiceTest, AnAccountWithTooManyThatWaitIsRefusedBeforeItSends) {
    prober.room = Error{ErrorCode::rate_limited, "too many", "", 7};
    service.emplace(UploadParts{*store, prober, assets, clock, scanner}, UploadsConfig{.max_bytes = 1'000'000});
    const auto refused = service->begin(principal, "a.png", 0, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().retry_after_s, 7);
}

TEST_F(UploadServiceTest, WhatWaitsWhenTheServiceStopsIsRefusedAndLeavesNothing) {
    prober.hold = true;
    auto one = begin();
    ASSERT_TRUE(one->write(bytes_of(png(100))));
    Result<Asset> answer = Asset{};
    one->finish([&](Result<Asset> asset) { answer = std::move(asset); });
    EXPECT_EQ(files(), 1U);
    service->refuse_waiting();
    prober.held.at(0)(prober.answer);  // which answers on this thread
    EXPECT_EQ(answer.error().code, ErrorCode::overloaded);
    EXPECT_EQ(files(), 0U);
}

}  // namespace tessera::service
