// The images that a request's run needs: one list for the service, the worker and the command line.
#include <gmock/gmock.h>

#include <boost/json/parse.hpp>

#include "operations/registry.hpp"

namespace tessera::operations {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Uuid id(int n) {
    return *Uuid::parse("0190aaaa-0000-7000-8000-00000000000" + std::to_string(n));
}

std::vector<Uuid> images_of(std::string_view operation, const std::optional<Uuid>& asset_id, const char* options) {
    return Registry::built_in().find(operation)->images(asset_id, boost::json::parse(options).as_object());
}

TEST(Images, AreTheRequestsOwnFirstAndThenThoseInItsOptionsEachOnce) {
    constexpr const char* options = R"({"tileset_id":"0190aaaa-0000-7000-8000-000000000009","patches":[
        {"asset_id":"0190aaaa-0000-7000-8000-000000000003"}, {"asset_id":"0190aaaa-0000-7000-8000-000000000002"},
        {"asset_id":"0190aaaa-0000-7000-8000-000000000003"}, {"color":"#fff"}]})";
    EXPECT_THAT(images_of("tile_patch", id(1), options), ElementsAre(id(1), id(3), id(2)));
    EXPECT_THAT(images_of("tile_patch", std::nullopt, options), ElementsAre(id(3), id(2)));
    EXPECT_THAT(images_of("tile_patch", id(2), options), ElementsAre(id(2), id(3)));
    EXPECT_THAT(images_of("resize", id(1), "{}"), ElementsAre(id(1)));
}

TEST(Images, AreOnlyWhereTheTableHasThem) {
    constexpr const char* options = R"({"asset_id":"0190aaaa-0000-7000-8000-000000000001","blocks":[
        {"color":"0190aaaa-0000-7000-8000-000000000002"}, {"asset_id":7}, {"asset_id":"none"}, 5,
        {"inside":{"asset_id":"0190aaaa-0000-7000-8000-000000000003"}}]})";
    EXPECT_THAT(images_of("grid_render", std::nullopt, options), IsEmpty());
    EXPECT_THAT(images_of("grid_render", std::nullopt, R"({"blocks":{"asset_id":"no list"}})"), IsEmpty());
}

}  // namespace
}  // namespace tessera::operations
