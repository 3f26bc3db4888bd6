// Tileset ids that are not there cost no query each, and what another process makes is there from that instant on.
#include <atomic>
#include <chrono>
#include <latch>

#include "no_blobs.hpp"
#include "service/access/principal.hpp"
#include "service/delivery/gathered_lookups.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/signing.hpp"
#include "service/delivery/tile_reader.hpp"
#include "store_test.hpp"

namespace tessera::service {
namespace {

// The real tilesets, and how often they were asked.
class CountedTilesets final : public metadata::Tilesets {
  public:
    explicit CountedTilesets(Tilesets& real) : real_(real) {}
    Result<std::optional<Tileset>> find(Uuid account_id, Uuid id) override { return counted().find(account_id, id); }
    Result<std::optional<Tileset>> find_any(Uuid id) override { return counted().find_any(id); }
    Result<std::optional<Tileset>> find_version(Uuid id, std::int64_t version) override {
        return counted().find_version(id, version);
    }
    Result<std::vector<Tileset>> list(Uuid account_id) override { return counted().list(account_id); }
    Result<std::vector<std::optional<Uuid>>> owners(std::span<const metadata::TilesetVersionName> names) override {
        return counted().owners(names);
    }
    Result<bool> remove(Uuid id) override { return counted().remove(id); }
    Result<std::vector<metadata::TilesetVersionName>> deeper_than(int layers, int limit) override {
        return counted().deeper_than(layers, limit);
    }
    Result<metadata::FoldAnswer> fold(Uuid id, std::span<const TilesetLayer> replaced,
                                      const TilesetLayer& folded) override {
        return counted().fold(id, replaced, folded);
    }
    std::atomic<int> queries{0};

  private:
    Tilesets& counted() {
        ++queries;
        return real_;
    }
    Tilesets& real_;
};

// The real store, with counted tilesets.
class CountedStore final : public metadata::Store {
  public:
    explicit CountedStore(Store& real) : counted(real.tilesets()), real_(real) {}
    metadata::Plans& plans() override { return real_.plans(); }
    metadata::Accounts& accounts() override { return real_.accounts(); }
    metadata::ApiKeys& api_keys() override { return real_.api_keys(); }
    metadata::Entitlements& entitlements() override { return real_.entitlements(); }
    metadata::Usage& usage() override { return real_.usage(); }
    metadata::Assets& assets() override { return real_.assets(); }
    metadata::Jobs& jobs() override { return real_.jobs(); }
    metadata::JobWatch& job_watch() override { return real_.job_watch(); }
    metadata::Queue& queue() override { return real_.queue(); }
    metadata::Artifacts& artifacts() override { return real_.artifacts(); }
    metadata::Tilesets& tilesets() override { return counted; }
    metadata::Maintenance& maintenance() override { return real_.maintenance(); }
    metadata::Audit& audit() override { return real_.audit(); }
    metadata::Erasure& erasure() override { return real_.erasure(); }
    metadata::Lists& lists() override { return real_.lists(); }
    metadata::Deletions& deletions() override { return real_.deletions(); }
    metadata::Webhooks& webhooks() override { return real_.webhooks(); }
    metadata::Operators& operators() override { return real_.operators(); }
    metadata::OperatorViews& operator_views() override { return real_.operator_views(); }
    metadata::DailyUse& daily_use() override { return real_.daily_use(); }
    metadata::Nodes& nodes() override { return real_.nodes(); }
    metadata::RateCounters* rate_counters() override { return real_.rate_counters(); }
    metadata::SigningSecrets* signing_secrets() override { return real_.signing_secrets(); }
    std::unique_ptr<metadata::Subscription> on_jobs_available(std::function<void()> callback) override {
        return real_.on_jobs_available(std::move(callback));
    }
    std::unique_ptr<metadata::Subscription> on_job_changes(std::function<void(JobChanges)> callback) override {
        return real_.on_job_changes(std::move(callback));
    }
    std::unique_ptr<metadata::Subscription> on_change(std::function<void(const metadata::Change&)> callback) override {
        return real_.on_change(std::move(callback));
    }
    [[nodiscard]] std::uint64_t change_counter() const override { return real_.change_counter(); }
    [[nodiscard]] const metadata::StoreMeters& meters() const override { return real_.meters(); }
    Result<void> check() override { return real_.check(); }
    Result<void> back_up_to(const std::string& path) override { return real_.back_up_to(path); }

    CountedTilesets counted;

  private:
    Store& real_;
};

class UnknownTilesets : public metadata::StoreTest {
  protected:
    void SetUp() override {
        principal_.account = make_account();
        counted_ = std::make_unique<CountedStore>(*store);
        tilesets_ = std::make_unique<OpenTilesets>(*counted_, blobs_, clock, 16);
        reader_ = std::make_unique<TileReader>(*tilesets_, signer_, clock);
    }
    void TearDown() override {
        reader_.reset();
        tilesets_.reset();
        counted_.reset();
    }

    TileQuestion question(const std::string& id) { return {{id, "0", "0", "0.png"}, principal_.account.id}; }
    // As a request goes: on the spot, else when its turn has come, else with patience. What the client is told.
    void read(const Uuid& id, const std::function<void(std::string)>& told) {
        const std::string text = id.to_string();
        auto now = reader_->find(question(text));
        if (now.state() != AnswerState::must_wait) return told(std::move(now).error().message);
        reader_->wait_for_turn(question(text), [this, text, told](const std::optional<Error>& refusal) {
            if (refusal) return told(refusal->message);
            auto tile = reader_->load(question(text));
            told(tile ? "a tile" : std::move(tile).error().message);
        });
    }
    std::string read(const Uuid& id) {
        std::string answer;
        std::latch done(1);
        read(id, [&](std::string told) {
            answer = std::move(told);
            done.count_down();
        });
        done.wait();
        return answer;
    }
    void use_up_patience() {
        while (tilesets_->lookups().may_ask_alone(principal_.account.id)) {
            EXPECT_EQ(read(Uuid::time_ordered()), "tileset not found");
        }
    }
    // By another process.
    void publish(const Uuid& id) {
        metadata::Submission wanted = submission(principal_.account);
        metadata::must(other().jobs().submit(wanted));
        const auto claimed = metadata::must(other().queue().claim({"w2", metadata::Lane::any, 1, Millis(60'000)}));
        metadata::Completion completion;
        completion.tileset.emplace();
        completion.tileset->tileset_id = id;
        completion.tileset->layers = {{"tilesets/one", 1}};
        completion.tileset->geometry = {ImageFormat::png, 256, 256, 256, 0, 0};
        metadata::must(other().queue().complete(claimed.at(0).lease, completion));
    }
    int queries() const { return counted_->counted.queries; }

    NoBlobs blobs_;
    Signer signer_{{"secret"}, {}};
    Principal principal_;
    std::unique_ptr<CountedStore> counted_;
    std::unique_ptr<OpenTilesets> tilesets_;
    std::unique_ptr<TileReader> reader_;
};
using metadata::backends;
TESSERA_ON_EVERY_BACKEND(UnknownTilesets);

TEST_P(UnknownTilesets, IdsThatNobodyEverMadeCostNothing) {
    Uuid::Bytes bytes = Uuid::time_ordered().bytes();
    bytes[0] = 0xff;  // some thousand years from now
    const Uuid to_come{bytes};
    for (int i = 0; i < 100; ++i) EXPECT_EQ(read(Uuid::random()), "tileset not found");
    EXPECT_EQ(read(to_come), "tileset not found");
    EXPECT_EQ(read(Uuid()), "tileset not found");
    EXPECT_EQ(queries(), 0);
}

TEST_P(UnknownTilesets, AThousandPossibleIdsCostSomeDozenQueries) {
    constexpr int count = 1'000;
    const auto begin = std::chrono::steady_clock::now();
    std::latch done(count);
    std::atomic<int> not_found{0};
    for (int i = 0; i < count; ++i) {
        read(Uuid::time_ordered(), [&](const std::string& told) {
            if (told == "tileset not found") ++not_found;
            done.count_down();
        });
    }
    done.wait();
    EXPECT_EQ(not_found, count);
    const auto tenths = (std::chrono::steady_clock::now() - begin) / std::chrono::milliseconds(100);
    EXPECT_LE(queries(), 40 + tenths) << "some by themselves, and ten a second for all that came after";
}

TEST_P(UnknownTilesets, WhatAnotherProcessHasJustMadeIsFoundByWhomeverAsks) {
    use_up_patience();
    for (int round = 0; round < 3; ++round) {
        const Uuid id = Uuid::time_ordered();
        EXPECT_EQ(read(id), "tileset not found");
        publish(id);
        EXPECT_NE(read(id), "tileset not found") << "it is there, if not its archive";
    }
}

TEST_P(UnknownTilesets, OneAccountsPatienceIsNotAnothers) {
    use_up_patience();
    EXPECT_TRUE(tilesets_->lookups().may_ask_alone(make_account("other").id));
    // Another account's tileset is not there for this one, whichever way it is asked for.
    Uuid id = Uuid::time_ordered();
    publish(id);
    principal_.account.id = make_account("third").id;
    use_up_patience();
    EXPECT_EQ(read(id), "tileset not found");
}

TEST_P(UnknownTilesets, WhoeverWaitsIsToldWhenTheServiceStops) {
    std::string told;
    {
        GatheredLookups stopping(store->tilesets(), std::chrono::hours(1));
        std::latch answered(1);
        stopping.ask({Uuid::time_ordered(), 0}, [&](const auto&) { answered.count_down(); });
        answered.wait();
        stopping.ask({Uuid::time_ordered(), 0}, [&](const auto& owner) { told = owner.error().message; });
    }
    EXPECT_EQ(told, "the service is stopping, try again");
}

}  // namespace
}  // namespace tessera::service
