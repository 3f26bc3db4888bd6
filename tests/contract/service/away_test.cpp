// What a database that is away keeps from working is refused in the interface's words, with its status and with when to
// try again.
#include "metadata/plans.hpp"
#include "no_blobs.hpp"
#include "postgres_database.hpp"
#include "replay_world.hpp"
#include "service/access/stored_plan_catalogue.hpp"
#include "service/delivery/artifact_service.hpp"

namespace tessera::service {
namespace {

std::string in_short(const Error& error) {
    return std::string(to_string(error.code)) + ": " + error.message + (error.retry_after_s ? ", later" : "");
}

TEST(StoreAway, IsSaidInTheInterfacesWords) {
    metadata::PostgresDatabase database;
    ManualClock clock{from_unix_millis(1'800'000'000'000)};
    const auto store = metadata::must(database.open(clock));
    const operations::Registry registry = operations::Registry::built_in();
    const Signer signer({"secret"}, {});
    const Links links({}, signer);
    NoBlobs blobs;
    JobService jobs(*store, registry, links, clock, {});
    ArtifactService artifacts(*store, blobs, signer, links, clock);
    StoredPlanCatalogue plans(*store);
    metadata::PostgresDatabase::execute("ALTER DATABASE " + database.name() + " WITH ALLOW_CONNECTIONS false");
    metadata::PostgresDatabase::execute(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '" + database.name() + "'");

    const Principal nobody;
    const std::string id = Uuid::random().to_string();
    const std::string persist = "internal_error: failed to persist job, later";
    const std::string grid = R"({"operation":"grid_render","options":{"width":9,"height":9,"block_width":3}})";
    const std::string resize = R"({"operation":"resize","options":{"width":9},"asset_id":")" + id + "\"}";
    const std::string rebuild = R"({"operation":"tile_patch","options":{"tileset_id":")" + id +
                                R"(","patches":[{"x":0,"y":0,"width":1,"height":1,"color":"#fff"}]}})";
    for (const std::string& body : {grid, resize, rebuild}) {
        EXPECT_EQ(in_short(jobs.submit(nobody, body, {}, {}).error()), persist) << body;
        EXPECT_EQ(in_short(jobs.submit(nobody, body, "some-key", {}).error()), persist) << body;
    }
    EXPECT_EQ(in_short(jobs.inspect(nobody, id, "").error()),
              "storage_unavailable: storage is unavailable, try again later, later");
    const std::string unavailable = "artifact_unavailable: artifact is unavailable, later";
    const std::int64_t expires = to_unix_seconds(clock.now()) + 60;
    const std::string signature = signer.sign_artifact(*Uuid::parse(id), expires);
    EXPECT_EQ(in_short(artifacts.describe(nobody, id, "").error()), unavailable);
    EXPECT_EQ(in_short(artifacts.find_signed(id, std::to_string(expires), signature).error()), unavailable);
    Artifact artifact;
    artifact.storage_key = "artifacts/one";
    EXPECT_EQ(in_short(artifacts.read(artifact, 0, 1).error()), unavailable);
    EXPECT_EQ(in_short(plans.public_plans().error()), "internal_error: failed to load plans, later");
}

}  // namespace
}  // namespace tessera::service
