// What the cache says of a tile at each of its levels.
#include "service/delivery/tile_cache.hpp"

#include <atomic>
#include <thread>

#include "service/delivery/gathered_lookups.hpp"
#include "tileset_fixture.hpp"

namespace tessera::service {
namespace {

// The stored blobs as if they were on another machine: no descriptor, and at hand only while a test says so.
class FarBlobs final : public blobs::BlobStore {
  public:
    explicit FarBlobs(BlobStore& real) : real_(real) {}
    Result<blobs::StagedFile> stage() override { return real_.stage(); }
    Result<void> publish(std::vector<blobs::Publication> all) override { return real_.publish(std::move(all)); }
    Result<std::shared_ptr<const blobs::Blob>> open(const blobs::BlobKey& key) override {
        auto near = real_.open(key);
        if (!near) return near;
        return std::shared_ptr<const blobs::Blob>(std::make_shared<FarBlob>(*this, std::move(*near)));
    }
    Result<UniqueFd> open_local(const blobs::BlobKey& key) override { return real_.open_local(key); }
    Result<void> remove(const blobs::BlobKey& key) override { return real_.remove(key); }
    Result<blobs::BlobPage> list(std::string_view prefix, const std::optional<std::string>& from,
                                 std::size_t limit) override {
        return real_.list(prefix, from, limit);
    }
    Result<void> check() override { return real_.check(); }

    bool at_hand = false;
    bool away = false;
    mutable int held = 0;  // how often

  private:
    struct FarBlob final : blobs::Blob {
        FarBlob(const FarBlobs& o, std::shared_ptr<const blobs::Blob> n) : owner(o), near(std::move(n)) {}
        [[nodiscard]] std::uint64_t size() const override { return near->size(); }
        Result<void> read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
            if (owner.away) return storage_unavailable("away");
            return near->read_at(offset, out);
        }
        bool try_read_at(std::uint64_t, std::span<std::uint8_t>) const override { return false; }
        [[nodiscard]] std::optional<blobs::HeldBytes> hold(std::uint64_t offset, std::size_t length) const override {
            if (!owner.at_hand) return std::nullopt;
            ++owner.held;
            auto bytes = std::make_shared<std::vector<std::uint8_t>>(length);
            if (!near->read_at(offset, *bytes)) return std::nullopt;
            const std::span<const std::uint8_t> view(*bytes);
            return blobs::HeldBytes{std::move(bytes), view};
        }
        [[nodiscard]] int descriptor() const override { return -1; }
        const FarBlobs& owner;
        std::shared_ptr<const blobs::Blob> near;
    };
    BlobStore& real_;
};

class TileCacheTest : public TilesetTest {
  protected:
    void SetUp() override {
        TilesetTest::SetUp();
        far_ = std::make_unique<FarBlobs>(*blobs_);
        open_from(*blobs_);
    }
    void TearDown() override {
        cache_.reset();
        tilesets_.reset();
        TilesetTest::TearDown();
    }
    void open_from(blobs::BlobStore& blobs) {
        cache_.reset();
        tilesets_ = std::make_unique<OpenTilesets>(*store_, blobs, clock_, 16);
        cache_ = std::make_unique<TileCache>(*tilesets_);
    }

    [[nodiscard]] WantedTile wanted(int zoom, int column, int row) const {
        return {{.version = {id_, 0}, .account = principal_.account.id, .now = clock_.now()},
                *tiles::TileCoord::make(zoom, column, row),
                ImageFormat::png};
    }
    static std::string in_short(TileAnswer answer) {
        switch (answer.state()) {
            case AnswerState::hit: return std::string(answer->bytes);
            case AnswerState::must_wait: return "(must wait)";
            case AnswerState::absent: return "(absent) " + std::move(answer).error().message;
            case AnswerState::damaged: return "(damaged) " + std::move(answer).error().message;
        }
        return {};
    }
    std::string find(const WantedTile& tile) { return in_short(cache_->find(tile)); }
    std::string load(const WantedTile& tile) { return in_short(cache_->load(tile)); }

    std::unique_ptr<FarBlobs> far_;
    std::unique_ptr<OpenTilesets> tilesets_;
    std::unique_ptr<TileCache> cache_;
};

TEST_F(TileCacheTest, AVersionThatIsNotOpenMustBeWaitedFor) {
    put(archive("first"), 0);
    EXPECT_EQ(find(wanted(1, 1, 0)), "(must wait)");
    EXPECT_EQ(load(wanted(1, 1, 0)), "1/1/0 first");
    EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 first");
    EXPECT_EQ(find(wanted(0, 0, 0)), "0/0/0 first") << "its version is open, and its page is in memory";
}

TEST_F(TileCacheTest, WhatIsNotThereIsAbsent) {
    id_ = Uuid::random();  // never one of ours
    EXPECT_EQ(find(wanted(0, 0, 0)), "(absent) tileset not found");
    id_ = Uuid::time_ordered();
    EXPECT_EQ(find(wanted(0, 0, 0)), "(must wait)") << "it may have been made on another node";
    EXPECT_EQ(load(wanted(0, 0, 0)), "(absent) tileset not found");
    put(archive("first"), 0);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(load(wanted(2, 0, 0)), "(absent) tile not found");
        EXPECT_EQ(find(wanted(2, 0, 0)), "(absent) tile not found");
    }
}

TEST_F(TileCacheTest, WhatWhoeverAsksMayNotSeeIsAbsent) {
    put(archive("first"), 0);
    EXPECT_EQ(load(wanted(0, 0, 0)), "0/0/0 first");
    WantedTile foreign = wanted(0, 0, 0);
    foreign.account = other_.account.id;
    WantedTile jpeg = wanted(0, 0, 0);
    jpeg.format = ImageFormat::jpeg;
    WantedTile in_public = wanted(0, 0, 0);
    in_public.account.reset();
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(find(foreign), "(absent) tileset not found");
        EXPECT_EQ(load(foreign), "(absent) tileset not found");
        EXPECT_EQ(find(jpeg), "(absent) tile not found");
        EXPECT_EQ(load(jpeg), "(absent) tile not found");
        EXPECT_EQ(find(in_public), "0/0/0 first");
    }
    entitle(false);
    EXPECT_EQ(load(in_public), "(absent) tileset not found");
    EXPECT_EQ(find(in_public), "(absent) tileset not found");
}

TEST_F(TileCacheTest, OnlyTilesetsThatAreNotThereAreHeldAgainstTheAsker) {
    put(archive("first"), 0);
    WantedTile foreign = wanted(0, 0, 0);
    foreign.account = other_.account.id;
    for (int i = 0; i < 100; ++i) EXPECT_EQ(load(foreign), "(absent) tileset not found");
    EXPECT_TRUE(tilesets_->lookups().may_ask_alone(other_.account.id));
    foreign.version.tileset_id = Uuid::time_ordered();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(load(foreign), "(absent) tileset not found");
    EXPECT_FALSE(tilesets_->lookups().may_ask_alone(other_.account.id));
}

TEST_F(TileCacheTest, WrongBytesAreDamageAndNotKnownAfterwards) {
    put(archive("first"), 0);
    EXPECT_EQ(load(wanted(1, 1, 0)), "1/1/0 first");
    damage("1/0/1 first");
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(find(wanted(1, 0, 1)), "(damaged) tileset is unavailable");
        EXPECT_EQ(load(wanted(1, 0, 1)), "(damaged) tileset is unavailable");
    }
    EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 first");
}

TEST_F(TileCacheTest, ATileOfALocalArchiveIsSentFromItsFile) {
    put(archive("first"), 0);
    EXPECT_FALSE(cache_->find(wanted(1, 1, 0)));
    auto loaded = cache_->load(wanted(1, 1, 0));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->file, -1);
    for (int i = 0; i < 2; ++i) {
        auto mapped = cache_->find(wanted(1, 1, 0));
        ASSERT_TRUE(mapped);
        EXPECT_GE(mapped->file, 0);
        EXPECT_EQ(mapped->archive, loaded->archive);
        EXPECT_EQ(mapped->offset, loaded->offset);
        clock_.advance(std::chrono::seconds(1));  // then it looks for the pages again
    }
}

TEST_F(TileCacheTest, ALoadedTileOutlivesItsVersion) {
    put(archive("first"), 0);
    auto tile = cache_->load(wanted(1, 1, 0));
    ASSERT_TRUE(tile);
    put(archive("second"), 1);
    EXPECT_EQ(load(wanted(1, 1, 0)), "1/1/0 second");
    tile->delivered->fetch_add(11);
    EXPECT_EQ(tilesets_->take_delivered()[principal_.account.id], 11U);
    tile->delivered->fetch_add(11);
    EXPECT_EQ(tile->bytes, "1/1/0 first");
    EXPECT_EQ(tilesets_->take_delivered()[principal_.account.id], 11U);
}

TEST_F(TileCacheTest, ATileOfARemoteArchiveIsKeptFromTheSecondTimeOn) {
    put(archive("first"), 0);
    open_from(*far_);
    EXPECT_EQ(find(wanted(1, 1, 0)), "(must wait)");
    EXPECT_EQ(load(wanted(1, 1, 0)), "1/1/0 first");
    EXPECT_EQ(find(wanted(1, 1, 0)), "(must wait)") << "nothing is at hand";
    far_->at_hand = true;
    EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 first");
    EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 first");
    far_->at_hand = false;
    EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 first");
    EXPECT_EQ(far_->held, 2);
    EXPECT_EQ(find(wanted(1, 0, 0)), "(must wait)");
    far_->away = true;
    EXPECT_EQ(load(wanted(1, 0, 0)), "(damaged) tileset is unavailable");
    EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 first");
}

TEST_F(TileCacheTest, WhatARecipeMakesIsSharedByThreads) {
    const std::string end = "\xff\xd9";  // the base's tiles end as a JPEG does
    put(archive("first" + end), 0);
    const std::string recipe = recipe_for_last(text_of(1, 1, 0, "first" + end));
    put(archive_of({{*tiles::TileCoord::make(1, 1, 0), recipe}}, true), 1, true);
    EXPECT_EQ(load(wanted(0, 0, 0)), "0/0/0 first" + end);
    EXPECT_EQ(find(wanted(1, 1, 0)), "(must wait)") << "nobody has put it together";
    EXPECT_EQ(cache_->whole_tiles().misses.get(), 1U);
    EXPECT_EQ(load(wanted(1, 1, 0)), "1/1/0 last" + end);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(find(wanted(1, 1, 0)), "1/1/0 last" + end);
    EXPECT_EQ(cache_->whole_tiles().hits.get(), 1U) << "the second time, the thread has it itself";
    std::string elsewhere;
    std::thread([&] { elsewhere = find(wanted(1, 1, 0)); }).join();
    EXPECT_EQ(elsewhere, "1/1/0 last" + end);
    EXPECT_EQ(cache_->whole_tiles().hits.get(), 2U);
}

TEST_F(TileCacheTest, ARecipeOverOtherBytesIsDamage) {
    const std::string end = "\xff\xd9";
    put(archive("first" + end), 0);
    const std::string recipe = recipe_for_last(text_of(1, 1, 0, "first" + end));
    put(archive_of({{*tiles::TileCoord::make(1, 0, 0), recipe}}, true), 1, true);
    EXPECT_EQ(load(wanted(1, 0, 0)), "(damaged) tileset is unavailable");
    EXPECT_EQ(find(wanted(1, 0, 0)), "(must wait)");
}

}  // namespace
}  // namespace tessera::service
