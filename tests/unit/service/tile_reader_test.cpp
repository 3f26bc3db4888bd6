#include "service/delivery/tile_reader.hpp"

#include <latch>
#include <thread>

#include "metadata/tilesets.hpp"
#include "metadata/usage.hpp"
#include "service/delivery/delivery_meter.hpp"
#include "tileset_fixture.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class TileReaderTest : public TilesetTest {
  protected:
    void SetUp() override {
        TilesetTest::SetUp();
        tilesets_ = std::make_unique<OpenTilesets>(*store_, *blobs_, clock_, 16);
        reader_ = std::make_unique<TileReader>(*tilesets_, signer_, clock_);
    }
    void TearDown() override {
        reader_.reset();
        tilesets_.reset();
        TilesetTest::TearDown();
    }

    static std::string text(TileAnswer answer) {
        if (answer.state() == AnswerState::must_wait) return "(must wait)";
        return answer ? std::string(answer->bytes) : std::move(answer).error().message;
    }
    std::string read(const Principal& principal, std::string_view z, std::string_view x, std::string_view y) {
        const std::string id = id_.to_string();
        return text(reader_->load({{id, z, x, y}, principal.account.id}));
    }
    std::string try_read(std::string_view z, std::string_view x, std::string_view y) {
        const std::string id = id_.to_string();
        return text(reader_->find({{id, z, x, y}, principal_.account.id}));
    }
    TileAnswer read_signed(const TileAddress& address, const TileSignature& signature) {
        return reader_->load({address, std::nullopt, signature});
    }
    std::string read_signed(std::int64_t version, std::string_view y = "0.png") {
        const std::string id = id_.to_string();
        const std::int64_t expires = to_unix_seconds(clock_.now()) + 600;
        const std::string number = std::to_string(version);
        const std::string until = std::to_string(expires);
        const std::string signature = signer_.sign_tileset(id_, version, expires);
        const TileQuestion question{{id, "1", "1", y}, std::nullopt, {number, until, signature}};
        auto now = reader_->find(question);
        return text(now.state() == AnswerState::must_wait ? reader_->load(question) : std::move(now));
    }

    std::unique_ptr<OpenTilesets> tilesets_;
    std::unique_ptr<TileReader> reader_;
};

TEST_F(TileReaderTest, ReadsFirstWithPatienceAndThenFromMemory) {
    put(archive("first"), 0);
    EXPECT_EQ(try_read("1", "1", "0.png"), "(must wait)");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 first");
    EXPECT_EQ(try_read("1", "1", "0.png"), "1/1/0 first");
    EXPECT_EQ(try_read("0", "0", "0.png"), "0/0/0 first");
}

TEST_F(TileReaderTest, AddressesHaveOneSpelling) {
    put(archive("first"), 0);
    EXPECT_EQ(read(principal_, "1", "1", "1.png"), "1/1/1 first");
    for (const auto& [z, x, y] : std::vector<std::array<const char*, 3>>{{"01", "1", "0.png"},
                                                                         {"1", "+1", "0.png"},
                                                                         {"1", "1", "-1.png"},
                                                                         {"1", "1", ".png"},
                                                                         {"", "1", "0.png"},
                                                                         {"x", "1", "0.png"},
                                                                         {"1", "1.0", "0.png"},
                                                                         {"99999999999999999999", "0", "0.png"},
                                                                         {"1", "%31", "0.png"}}) {
        EXPECT_EQ(read(principal_, z, x, y), "invalid tile coordinates") << z << " " << x << " " << y;
    }
    for (const char* row : {"0", "0.", "0.gif", "0.PNG", "0.png.png"}) {
        EXPECT_TRUE(
            read(principal_, "1", "1", row).starts_with("invalid tile coordinates: the row needs the extension"))
            << row;
    }
    EXPECT_EQ(text(reader_->load({{"nonsense", "1", "1", "0.png"}, principal_.account.id})), "invalid tileset id");
}

TEST_F(TileReaderTest, TilesThatAreNotThereAreNotFound) {
    put(archive("first"), 0);
    for (const auto& [z, x, y] : std::vector<std::array<const char*, 3>>{{"1", "2", "0.png"},
                                                                         {"2", "0", "0.png"},
                                                                         {"0", "0", "1.png"},
                                                                         {"40", "0", "0.png"},
                                                                         {"1", "1", "0.jpg"}}) {
        EXPECT_EQ(read(principal_, z, x, y), "tile not found") << z << " " << x << " " << y;
    }
}

TEST_F(TileReaderTest, SomebodyElsesTilesetIsNotFound) {
    put(archive("first"), 0);
    EXPECT_EQ(read(other_, "0", "0", "0.png"), "tileset not found");
    id_ = Uuid::time_ordered();
    EXPECT_EQ(read(principal_, "0", "0", "0.png"), "tileset not found");
}

TEST_F(TileReaderTest, ADeltaCoversWhatItHoldsAndShowsTheRest) {
    put(archive("first"), 0);
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 first");
    put(archive("patched", {*tiles::TileCoord::make(1, 1, 0)}), 1, true);
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 patched");
    EXPECT_EQ(read(principal_, "1", "0", "0.png"), "1/0/0 first");
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    EXPECT_EQ(read_signed(2), "1/1/0 patched");
}

TEST_F(TileReaderTest, ATileThatADeltaHoldsAsARecipeIsPutTogether) {
    const std::string end = "\xff\xd9";  // the base's tiles end as a JPEG does
    put(archive("first" + end), 0);
    const std::string base = text_of(1, 1, 0, "first" + end);
    const std::string recipe = recipe_for_last(base);
    put(archive_of({{*tiles::TileCoord::make(1, 1, 0), recipe}}, true), 1, true);
    const std::string wanted = "1/1/0 last" + end;
    EXPECT_EQ(try_read("1", "1", "0.png"), "(must wait)");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), wanted);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(try_read("1", "1", "0.png"), wanted);
    EXPECT_EQ(try_read("1", "0", "0.png"), text_of(1, 0, 0, "first" + end));
    EXPECT_EQ(read_signed(1), base);
    EXPECT_EQ(read_signed(2), wanted);
    // A recipe over something else is damage, and no tile.
    put(archive_of({{*tiles::TileCoord::make(1, 0, 0), recipe}}, true), 2, true);
    EXPECT_EQ(read(principal_, "1", "0", "0.png"), "tileset is unavailable");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), wanted);
}

TEST_F(TileReaderTest, AllWhoAskAtOnceGetOneOpenVersion) {
    put(archive("first"), 0);
    std::vector<std::jthread> readers;
    std::atomic<int> right{0};
    std::atomic<const OpenVersion*> opened{nullptr};
    std::atomic<int> others{0};
    std::latch start(8);
    for (int i = 0; i < 8; ++i) {
        readers.emplace_back([&] {
            start.arrive_and_wait();
            const auto version = tilesets_->open({id_, 0});
            if (!version.ok()) return;
            const OpenVersion* none = nullptr;
            if (!opened.compare_exchange_strong(none, version->get()) && none != version->get()) ++others;
            ++right;
        });
    }
    readers.clear();
    EXPECT_EQ(right, 8);
    EXPECT_EQ(others, 0) << "all have the same one";
}

TEST_F(TileReaderTest, ANewVersionIsSeenAtOnceAndTheOldOneStays) {
    put(archive("first"), 0);
    EXPECT_EQ(read(principal_, "0", "0", "0.png"), "0/0/0 first");
    EXPECT_EQ(try_read("0", "0", "0.png"), "0/0/0 first");
    put(archive("second"), 1);
    EXPECT_EQ(try_read("0", "0", "0.png"), "(must wait)");
    EXPECT_EQ(read(principal_, "0", "0", "0.png"), "0/0/0 second");
    EXPECT_EQ(try_read("0", "0", "0.png"), "0/0/0 second");
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    EXPECT_EQ(read_signed(3), "tileset not found");
}

TEST_F(TileReaderTest, SignaturesAreForOneVersionAndEntitledAccounts) {
    put(archive("first"), 0);
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    const std::string id = id_.to_string();
    const std::int64_t expires = to_unix_seconds(clock_.now()) + 600;
    const std::string signature = signer_.sign_tileset(id_, 1, expires);
    const std::string until = std::to_string(expires);
    const TileAddress address{id, "1", "1", "0.png"};
    EXPECT_EQ(text(read_signed(address, {"2", until, signature})), "invalid or expired tile signature");
    EXPECT_EQ(text(read_signed(address, {"1", until, std::string(64, '0')})), "invalid or expired tile signature");
    EXPECT_EQ(text(read_signed(address, {"1", std::nullopt, signature})), "invalid or expired tile signature");
    EXPECT_EQ(text(read_signed(address, {"1", "soon", signature})), "expires must be a unix timestamp");
    EXPECT_EQ(text(read_signed(address, {"01", until, signature})), "invalid tileset version");
    EXPECT_EQ(text(read_signed(address, {"1", until, signature})), "1/1/0 first");

    entitle(false);
    EXPECT_EQ(read_signed(1), "tileset not found");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 first");
    entitle(true);
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    clock_.advance(601s);
    EXPECT_EQ(text(read_signed(address, {"1", until, signature})), "invalid or expired tile signature");
}

TEST_F(TileReaderTest, AKnownSignatureFitsNothingElse) {
    put(archive("first"), 0);
    const std::string id = id_.to_string();
    const std::int64_t expires = to_unix_seconds(clock_.now()) + 600;
    const std::string until = std::to_string(expires);
    const std::string signature = signer_.sign_tileset(id_, 1, expires);
    const auto ask = [&](std::string_view tileset, std::string_view version, std::string_view time,
                         std::string_view sig, std::string_view column = "1") {
        return text(read_signed({tileset, "1", column, "0.png"}, {version, time, sig}));
    };
    for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(id, "1", until, signature), "1/1/0 first");
    const std::string refused = "invalid or expired tile signature";
    EXPECT_EQ(ask(Uuid::time_ordered().to_string(), "1", until, signature), refused);
    EXPECT_EQ(ask(id, "2", until, signature), refused);
    EXPECT_EQ(ask(id, "1", std::to_string(expires + 1), signature), refused);
    for (const std::size_t at : {0U, 7U, 8U, 63U}) {
        std::string other = signature;
        other[at] = other[at] == '0' ? '1' : '0';
        EXPECT_EQ(ask(id, "1", until, other), refused) << at;
    }
    EXPECT_EQ(ask(id, "1", until, signature.substr(1)), refused);
    EXPECT_EQ(ask(id, "1", until, signature, "x"), "invalid tile coordinates");
    EXPECT_EQ(ask(id, "1", until, signature, "7"), "tile not found");
    EXPECT_EQ(ask(id, "1", until, signature), "1/1/0 first");

    signer_.use({"another secret, of which nobody knows"});
    EXPECT_EQ(ask(id, "1", until, signature), refused);
}

TEST_F(TileReaderTest, DeletedAndExpiredTilesetsStopResolving) {
    expires_at_ = clock_.now() + 1h;
    put(archive("first"), 0);
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    clock_.advance(1h);
    EXPECT_EQ(read_signed(1), "tileset not found");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "tileset not found");

    id_ = Uuid::time_ordered();
    expires_at_.reset();
    put(archive("another"), 0);
    EXPECT_EQ(read_signed(1), "1/1/0 another");
    EXPECT_EQ(read_signed(1), "1/1/0 another");
    ASSERT_TRUE(*store_->tilesets().remove(id_));
    EXPECT_EQ(read_signed(1), "tileset not found");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "tileset not found");
}

TEST_F(TileReaderTest, ADamagedTileIsAnErrorAndNeverWrongBytes) {
    put(archive("first"), 0);
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 first");
    damage("1/0/1 first");
    EXPECT_EQ(read(principal_, "1", "0", "1.png"), "tileset is unavailable");
    EXPECT_EQ(try_read("1", "0", "1.png"), "tileset is unavailable");
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 first");
}

TEST_F(TileReaderTest, ATruncatedArchiveIsAnErrorEvenWhileItIsOpen) {
    put(archive("first"), 0);
    EXPECT_EQ(read(principal_, "1", "1", "0.png"), "1/1/0 first");
    EXPECT_EQ(try_read("1", "1", "0.png"), "1/1/0 first");
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        if (entry.is_regular_file() && entry.path().string().find("tilesets") != std::string::npos) {
            fs::resize_file(entry.path(), 200);
        }
    }
    EXPECT_EQ(read(principal_, "1", "0", "1.png"), "tileset is unavailable");
    EXPECT_EQ(try_read("1", "0", "1.png"), "(must wait)");
}

TEST_F(TileReaderTest, DeliveredBytesReachTheLedgerInBulk) {
    put(archive("first"), 0);
    EXPECT_EQ(read_signed(1), "1/1/0 first");
    DeliveryMeter meter(*tilesets_, *store_);
    const std::string id = id_.to_string();
    const std::int64_t expires = to_unix_seconds(clock_.now()) + 600;
    const std::string until = std::to_string(expires);
    const std::string signature = signer_.sign_tileset(id_, 1, expires);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 1000; ++i) {
                const TileAddress address{id, "1", "1", "0.png"};
                auto tile = reader_->find({address, std::nullopt, {"1", until, signature}});
                if (!tile) tile = read_signed(address, {"1", until, signature});
                ASSERT_TRUE(tile);
                tile->delivered->fetch_add(tile->bytes.size());
                if (i == 500 && t == 0) entitle(true);  // closes and opens it again in the middle
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_TRUE(meter.flush());
    EXPECT_EQ(store_->usage().current(principal_.account.id)->delivered_bytes, 4000 * 11);
    ASSERT_TRUE(meter.flush());
    EXPECT_EQ(store_->usage().current(principal_.account.id)->delivered_bytes, 4000 * 11);
}

TEST_F(TileReaderTest, ManyTilesetsAreServedFromABoundedNumberOfOpenOnes) {
    std::vector<Uuid> ids;
    for (int i = 0; i < 40; ++i) {
        id_ = Uuid::time_ordered();
        ids.push_back(id_);
        put(archive("number " + std::to_string(i)), 0);
    }
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            id_ = ids[i];
            EXPECT_EQ(read(principal_, "0", "0", "0.png"), "0/0/0 number " + std::to_string(i));
        }
    }
}

TEST_F(TileReaderTest, ArchivesAreClosedWhenTooManyAreOpen) {
    const auto open_files = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = open_files();
    for (int i = 0; i < 12; ++i) {
        id_ = Uuid::time_ordered();
        put(archive("base"), 0);
        for (int layer = 1; layer < 8; ++layer) put(archive("delta", {*tiles::TileCoord::make(0, 0, 0)}), layer, true);
        EXPECT_EQ(read(principal_, "1", "0", "0.png"), "1/0/0 base");
    }
    EXPECT_LE(open_files() - before, 16 + 4) << "sixteen archives may be open, not sixteen versions";
}

}  // namespace
}  // namespace tessera::service
