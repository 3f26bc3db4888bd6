#include "operations/run.hpp"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace tessera::operations {
namespace {
namespace json = boost::json;

TEST(RunRequest, CrossesToTheEngineUnchanged) {
    RunRequest request;
    request.operation = "tile";
    request.options = {{"quality", 80}};
    request.images.push_back({Uuid::random(), {ImageFormat::heif, 40, 30, 2, true, 16, "srgb"}, 1234});
    request.tileset = InputTileset{Uuid::random(), {}};
    request.tileset->version.version = 7;
    request.tileset->version.layers = {{"a/secret/key", 10}, {"another", 20}};
    request.limits.threads = 2;
    request.limits.time_budget = std::chrono::milliseconds(1500);

    const json::object wire = to_json(request);
    EXPECT_EQ(json::serialize(wire).find("secret"), std::string::npos);
    const auto back = run_request_from_json(wire);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->images.at(0).image, request.images.at(0).image);
    EXPECT_EQ(back->tileset->version.layers.at(1).byte_size, 20);
    EXPECT_EQ(json::serialize(to_json(*back)), json::serialize(wire));
}

TEST(RunRequest, IsRefusedWhenMalformed) {
    EXPECT_FALSE(run_request_from_json({}));
    EXPECT_FALSE(run_request_from_json({{"operation", 5}, {"options", {}}, {"images", {}}, {"limits", {}}}));
}

TEST(Manifest, CrossesToTheHostUnchanged) {
    Manifest manifest;
    manifest.artifacts.push_back({"out.webp", "primary", "image/webp", "webp", 8, 6, {{"quality", 80}}});
    manifest.tileset = TilesetOutput{"t.pmtiles", true, {ImageFormat::png, 512, 9, 9, 0, 3}, 21, {{"quality", 75}}};
    const auto back = manifest_from_json(to_json(manifest));
    ASSERT_TRUE(back);
    EXPECT_EQ(json::serialize(to_json(*back)), json::serialize(to_json(manifest)));
}

TEST(Manifest, IsRefusedWhenMalformed) {
    EXPECT_FALSE(manifest_from_json({{"artifacts", {{{"file", 1}}}}}));
    EXPECT_FALSE(manifest_from_json({}));
}

}  // namespace
}  // namespace tessera::operations
