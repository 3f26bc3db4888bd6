// The order of limits, the same for every operation: the workers', then the plan's, then the format's.
#include "operations/caps.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/plan.hpp"
#include "run_here.hpp"

namespace tessera::operations {
namespace {

namespace json = boost::json;

using WorkerLimit = std::int64_t WorkerLimits::*;

struct Case {
    std::string operation;
    std::string options;
    bool has_asset;
    std::vector<WorkerLimit> limits;  // those that its work can be over
};

const std::string picture = R"({"asset_id":"0190aaaa-0000-7000-8000-000000000001",)";

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"resize",
         R"({"width":800})",
         true,
         {&WorkerLimits::max_input_megapixels, &WorkerLimits::max_output_megapixels,
          &WorkerLimits::max_sources_per_job}},
        {"optimize",
         "{}",
         true,
         {&WorkerLimits::max_input_megapixels, &WorkerLimits::max_output_megapixels,
          &WorkerLimits::max_sources_per_job}},
        {"tile",
         "{}",
         true,
         {&WorkerLimits::max_input_megapixels, &WorkerLimits::max_sources_per_job, &WorkerLimits::max_tiles_per_job}},
        {"grid_render",
         R"({"width":900,"height":900,"block_width":90,"artifact":"picture","blocks":[)" + picture +
             R"("column":0,"row":0}]})",
         false,
         {&WorkerLimits::max_input_megapixels, &WorkerLimits::max_output_megapixels,
          &WorkerLimits::max_canvas_megapixels, &WorkerLimits::max_sources_per_job, &WorkerLimits::max_tiles_per_job}},
        {"tile_patch",
         R"({"tileset_id":"0190aaaa-0000-7000-8000-000000000002","patches":[)" + picture +
             R"("x":0,"y":0,"width":90,"height":90}]})",
         false,
         {&WorkerLimits::max_input_megapixels, &WorkerLimits::max_sources_per_job, &WorkerLimits::max_tiles_per_job}},
    };
    return all;
}

SubmitContext world() {
    ImageInfo photo;
    photo.format = ImageFormat::jpeg;
    photo.width = photo.height = 1000;
    SubmitContext context = test::knowing(photo);
    context.find_tileset = [](const Uuid& id) -> Result<Tileset> {
        Tileset tileset;
        tileset.id = id;
        tileset.current.geometry = {ImageFormat::png, 256, 1000, 1000, 0, 2};
        return tileset;
    };
    return context;
}

std::string answer(const Case& one, const SubmitContext& context) {
    const auto asset = one.has_asset ? std::optional(test::known_asset) : std::nullopt;
    const auto accepted = test::accepted(one.operation, json::parse(one.options), asset, context);
    return accepted ? "accepted" : std::string(to_string(accepted.error().code));
}

TEST(Caps, OfTheWorkersComeBeforeThoseOfThePlanForEveryOperation) {
    for (const Case& one : cases()) {
        SubmitContext context = world();
        EXPECT_EQ(answer(one, context), "accepted") << one.operation;
        for (const PlanLimitField& field : plan_limit_fields()) context.plan.*field.member = 0;
        EXPECT_EQ(answer(one, context), "plan_limit_exceeded") << one.operation;
        for (std::size_t i = 0; i < one.limits.size(); ++i) {
            SubmitContext full = context;
            full.worker.*one.limits[i] = 0;
            EXPECT_EQ(answer(one, full), "worker_capacity_exceeded") << one.operation << ", limit " << i;
        }
    }
}

// Known by arithmetic, so refused at once and not by a job that fails.
TEST(Caps, HoldForWhatASourceGrowsToBeforeItIsCut) {
    const std::string cover = R"({"width":100000,"height":19,"fit":"cover","enlarge":true,"format":"png","position":")";
    EXPECT_EQ(answer({"resize", cover + R"(entropy"})", true, {}}, world()), "worker_capacity_exceeded");
    EXPECT_EQ(answer({"resize", cover + R"(attention"})", true, {}}, world()), "worker_capacity_exceeded");
    EXPECT_EQ(answer({"resize", cover + R"(north"})", true, {}}, world()), "accepted") << "made row by row";
    const std::string grid =
        R"({"width":1,"height":3,"block_width":1000000,"block_height":3,"line_width":0,"blocks":[)" + picture +
        R"("column":0,"row":0,"fit":")";
    EXPECT_EQ(answer({"grid_render", grid + R"(cover"}]})", false, {}}, world()), "worker_capacity_exceeded");
    EXPECT_EQ(answer({"grid_render", grid + R"(contain"}]})", false, {}}, world()), "accepted");
    SubmitContext small = world();
    small.worker.max_input_megapixels = 1;
    const std::string patch = R"({"tileset_id":"0190aaaa-0000-7000-8000-000000000002","patches":[)" + picture +
                              R"("x":0,"y":0,"width":1000,"height":1,"fit":")";
    EXPECT_EQ(answer({"tile_patch", patch + R"(cover"}]})", false, {}}, small), "accepted");
    small.find_asset = [](const Uuid& id) -> Result<Asset> {
        Asset sliver;
        sliver.id = id;
        sliver.image.width = 1;
        sliver.image.height = 10;
        return sliver;
    };
    EXPECT_EQ(answer({"tile_patch", patch + R"(cover"}]})", false, {}}, small), "worker_capacity_exceeded");
    EXPECT_EQ(answer({"tile_patch", patch + R"(fill"}]})", false, {}}, small), "accepted");
}

TEST(Caps, OfThePlanComeBeforeThoseOfTheFormat) {
    const Case wide{"resize", R"({"width":20000,"height":10,"fit":"fill","enlarge":true,"format":"webp"})", true, {}};
    SubmitContext context = world();
    EXPECT_EQ(answer(wide, context), "invalid_option");
    context.plan.max_output_edge_pixels = 900;
    EXPECT_EQ(answer(wide, context), "plan_limit_exceeded");
    context.worker.max_output_megapixels = 0;
    EXPECT_EQ(answer(wide, context), "worker_capacity_exceeded");
}

}  // namespace
}  // namespace tessera::operations
