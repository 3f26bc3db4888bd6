#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "operations/registry.hpp"
#include "run_here.hpp"

namespace tessera::operations {
namespace {
namespace json = boost::json;
using test::accept;

const ImageInfo photo{ImageFormat::jpeg, 4000, 3000, 1, false, 8, "srgb"};

std::string answer(const std::string& options, const ImageInfo& image = photo) {
    const auto accepted = accept("resize", options, image);
    return accepted ? json::serialize(accepted->options) : accepted.error().message;
}

TEST(ResizeOptions, AreReturnedWithTheirDefaults) {
    EXPECT_EQ(answer(R"({"width":800})"),
              R"({"width":800,"fit":"inside","position":"centre","format":"jpeg","quality":80,)"
              R"("background":"#ffffff","enlarge":false,"keep_metadata":false})");
}

TEST(ResizeOptions, TakeTheirFormatFromTheSource) {
    const auto format_for = [](ImageFormat source) {
        ImageInfo image = photo;
        image.format = source;
        return std::string(json::parse(answer(R"({"height":5})", image)).at("format").as_string());
    };
    EXPECT_EQ(format_for(ImageFormat::jpeg), "jpeg");
    EXPECT_EQ(format_for(ImageFormat::png), "png");
    EXPECT_EQ(format_for(ImageFormat::webp), "webp");
    EXPECT_EQ(format_for(ImageFormat::avif), "avif");
    EXPECT_EQ(format_for(ImageFormat::gif), "png");
    EXPECT_EQ(format_for(ImageFormat::heif), "webp");
    EXPECT_EQ(format_for(ImageFormat::jxl), "webp");
}

TEST(ResizeOptions, AreRefusedInTheInterfacesWords) {
    EXPECT_EQ(answer("{}"), "resize requires width or height");
    EXPECT_EQ(answer(R"({"quality":70})"), "resize requires width or height");
    EXPECT_EQ(answer(R"({"width":0})"), "width must be an integer from 1 to 100000");
    EXPECT_EQ(answer(R"({"width":10,"quality":0})"), "quality must be an integer from 1 to 100, or auto");
    EXPECT_EQ(answer(R"({"width":10,"format":"gif"})"), "format must be jpeg, png, webp, avif, jxl or auto");
    EXPECT_EQ(answer(R"({"width":10,"widht":10})"), R"(unknown option "widht"; did you mean "width"?)");
    EXPECT_EQ(answer(R"({"width":10,"background":"transparent"})"), "background must be opaque for jpeg output");
}

TEST(ResizeOptions, OfShapeAreReturnedAsGiven) {
    const std::string common = R"("format":"jpeg","quality":80,"background":"#ffffff","enlarge":false,)";
    EXPECT_EQ(answer(R"({"width":8,"crop":{"height":2.0,"width":3,"y":0,"x":1},"trim":10,"rotate":90,"flip":"both"})"),
              R"({"width":8,"fit":"inside","position":"centre",)" + common +
                  R"("crop":{"x":1,"y":0,"width":3,"height":2,"unit":"pixels"},"trim":10,"rotate":90,"flip":"both",)"
                  R"("keep_metadata":false})");
    // What comes back may be sent again: position is gone, as focus stands in its place.
    const std::string focused = answer(R"({"width":8,"height":8,"fit":"cover","dpr":2,"focus":{"x":1,"y":0}})");
    EXPECT_EQ(focused, R"({"width":8,"height":8,"fit":"cover",)" + common +
                           R"("dpr":2,"focus":{"x":1,"y":0},"keep_metadata":false})");
    EXPECT_EQ(answer(focused), focused);
}

TEST(ResizeOptions, OfShapeAreRefusedByTheirName) {
    const auto with = [](const std::string& options) { return answer(R"({"width":10,)" + options + "}"); };
    EXPECT_EQ(answer(R"({"crop":{"x":0,"y":0,"width":5,"height":5}})"), "resize requires width or height");
    EXPECT_EQ(answer(R"({"rotate":90})"), "resize requires width or height");
    EXPECT_EQ(with(R"("crop":{"x":0,"y":0,"width":5})"), "crop.height is required");
    EXPECT_EQ(with(R"("crop":{"x":0,"y":0,"width":5,"height":0})"), "crop.height must be more than 0");
    EXPECT_EQ(with(R"("crop":{"x":0,"y":0,"width":0.5,"height":1})"), "crop.width must be a whole number of pixels");
    EXPECT_EQ(with(R"("crop":{"x":0,"y":0,"width":5,"height":1,"unit":"fraction"})"),
              "crop.width must be from 0 to 1 where unit is fraction");
    EXPECT_EQ(with(R"("crop":{"x":0.6,"y":0,"width":0.5,"height":1,"unit":"fraction"})"),
              "crop reaches beyond the picture: crop.x and crop.width are more than 1 together");
    EXPECT_EQ(with(R"("crop":{"x":3000,"y":0,"width":1001,"height":5})"),
              "crop reaches beyond the picture, which is 4000x3000 pixels");
    EXPECT_EQ(with(R"("crop":{"x":-1,"y":0,"width":5,"height":5})"), "crop.x must be a number from 0 to 1000000");
    EXPECT_EQ(with(R"("crop":{"x":"1","y":0,"width":5,"height":5})"), "crop.x must be a number from 0 to 1000000");
    EXPECT_EQ(with(R"("focus":{"x":0.5,"y":0.5})"), "focus requires fit cover");
    EXPECT_EQ(with(R"("fit":"cover","position":"centre","focus":{"x":0.5,"y":0.5})"),
              "focus and position exclude each other");
    EXPECT_EQ(with(R"("fit":"cover","focus":{"x":1.01,"y":0.5})"), "focus.x must be a number from 0 to 1");
    const std::string id = R"("asset_id":"0190aaaa-0000-7000-8000-000000000001")";
    EXPECT_EQ(with(R"("overlay":{"scale":0.5})"), "overlay.asset_id is required");
    EXPECT_EQ(with(R"("overlay":{"x":5,)" + id + "}"), "overlay.x and overlay.y go together");
    EXPECT_EQ(with(R"("overlay":{"x":5,"y":5,"margin":1,)" + id + "}"),
              "overlay.x and overlay.y exclude overlay.position and overlay.margin");
    EXPECT_EQ(with(R"("overlay":{"asset_id":"0190aaaa-0000-7000-8000-000000000002"})"), "asset not found");
    const std::string placed = with(R"("overlay":{"x":5,"y":5,)" + id + "}");
    EXPECT_EQ(answer(placed), placed);
    EXPECT_EQ(with(R"("rotate":45)"), "rotate must be 0, 90, 180 or 270");
    EXPECT_EQ(with(R"("flip":"left")"), "flip must be horizontal, vertical or both");
    EXPECT_EQ(with(R"("trim":256)"), "trim must be an integer from 0 to 255");
    EXPECT_EQ(with(R"("blur":0.2)"), "blur must be a number from 0.3 to 100");
    EXPECT_EQ(with(R"("sharpen":11)"), "sharpen must be a number from 0.3 to 10");
    EXPECT_EQ(with(R"("dpr":0.5)"), "dpr must be a number from 1 to 4");
    EXPECT_EQ(with(R"("dpr":1e999)"), "dpr must be a number from 1 to 4");
}

TEST(ResizeOptions, OfEqualMeaningHaveOneFingerprint) {
    EXPECT_EQ(answer(R"({"width":800,"dpr":2.0})"), answer(R"({"dpr":2,"width":800})"));
    EXPECT_EQ(answer(R"({"width":800})"), answer(R"({"quality":80.0,"fit":"inside","width":8e2,"format":"jpeg"})"));
}

TEST(ResizeRequests, AreJudgedByTheShapeThatTheyEndIn) {
    const auto refusal = [](const std::string& options, std::int64_t most_edge) {
        SubmitContext context = test::knowing(photo);
        context.plan.max_output_edge_pixels = most_edge;
        const auto answer = test::accepted("resize", json::parse(options), test::known_asset, context);
        return answer ? "accepted" : std::string(to_string(answer.error().code));
    };
    EXPECT_EQ(refusal(R"({"width":400,"dpr":2})", 799), "plan_limit_exceeded");
    EXPECT_EQ(refusal(R"({"width":400,"dpr":2})", 800), "accepted");
    EXPECT_EQ(refusal(R"({"width":900,"rotate":90})", 1199), "plan_limit_exceeded");
    EXPECT_EQ(refusal(R"({"width":900,"rotate":90})", 1200), "accepted");
    EXPECT_EQ(refusal(R"({"width":900,"crop":{"x":0,"y":0,"width":100,"height":90}})", 100), "accepted");
    EXPECT_EQ(refusal(R"({"width":900,"trim":5})", 100), "accepted") << "the engine sees what is left";
    EXPECT_EQ(refusal(R"({"width":900,"height":9,"fit":"contain","trim":5})", 899), "plan_limit_exceeded");
}

TEST(ResizeRequests, AreJudgedByTheServiceThenThePlanThenTheFormat) {
    const auto refusal = [](const std::string& options, auto&& prepare) {
        SubmitContext context = test::knowing(photo);
        prepare(context);
        const auto answer = test::accepted("resize", json::parse(options), test::known_asset, context);
        return answer ? "accepted" : std::string(to_string(answer.error().code)) + ": " + answer.error().message;
    };
    const auto both = [](SubmitContext& context) {
        context.worker.max_input_megapixels = 11;
        context.plan.max_input_megapixels = 10;
    };
    EXPECT_EQ(refusal(R"({"width":20000,"enlarge":true,"format":"webp"})", both),
              "worker_capacity_exceeded: the source image is over this service's current limit of 11 megapixels");
    const auto plan = [](SubmitContext& context) { context.plan.max_input_megapixels = 10; };
    EXPECT_EQ(refusal(R"({"width":20000,"enlarge":true,"format":"webp"})", plan),
              "plan_limit_exceeded: the job needs 12 megapixels, over the plan's limit max_input_megapixels of 10 "
              "megapixels");
    EXPECT_EQ(refusal(R"({"width":20000,"enlarge":true,"format":"webp"})", [](SubmitContext&) {}),
              "invalid_option: the result would be 20000x15000 pixels, but webp holds at most 16383 on an edge");
    const auto edge = [](SubmitContext& context) { context.plan.max_output_edge_pixels = 799; };
    EXPECT_EQ(
        refusal(R"({"width":800})", edge),
        "plan_limit_exceeded: the job needs 800 pixels, over the plan's limit max_output_edge_pixels of 799 pixels");
    const auto exact = [](SubmitContext& context) {
        context.plan.max_input_megapixels = 12;
        context.plan.max_input_edge_pixels = 4000;
        context.plan.max_output_edge_pixels = 800;
        context.plan.max_output_megapixels = 1;
    };
    EXPECT_EQ(refusal(R"({"width":800})", exact), "accepted");
}

TEST(ResizeRequests, CostACreditPerStartedMegapixelOfTheSource) {
    const auto credits = [](std::int64_t width, std::int64_t height) {
        ImageInfo image = photo;
        image.width = width;
        image.height = height;
        return accept("resize", R"({"width":1})", image)->credits;
    };
    EXPECT_EQ(credits(1, 1), 1);
    EXPECT_EQ(credits(1000, 1000), 1);
    EXPECT_EQ(credits(1000, 1001), 2);
    EXPECT_EQ(credits(4000, 3000), 12);
}

TEST(Requests, NeedAKnownOperationAndAnObjectOfOptions) {
    const auto registry = Registry::built_in();
    const Uuid asset = test::known_asset;
    const json::value object = json::object{};
    EXPECT_EQ(registry.normalize("rotate", &object, asset).error().message, "unsupported operation");
    EXPECT_EQ(registry.normalize("", &object, asset).error().message, "unsupported operation");
    EXPECT_EQ(registry.normalize("resize", nullptr, asset).error().message, "options object is required");
    for (const char* text : {"null", "[]", "5", "\"x\"", "true"}) {
        const json::value given = json::parse(text);
        EXPECT_EQ(registry.normalize("resize", &given, asset).error().message, "options object is required") << text;
    }
    const json::value width = json::parse(R"({"width":1})");
    EXPECT_EQ(registry.normalize("resize", &width, std::nullopt).error().message, "resize requires asset_id");
    const auto missing = test::accepted("resize", width, Uuid::random(), test::knowing(photo));
    EXPECT_EQ(missing.error().code, ErrorCode::asset_not_found);
}

class Twin final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return "resize"; }
    [[nodiscard]] std::string_view description() const override { return ""; }
    [[nodiscard]] const OptionTable& options() const override {
        static const OptionTable none{};
        return none;
    }
    [[nodiscard]] Result<json::object> normalize(const json::object&, const std::optional<Uuid>&) const override {
        return json::object{};
    }
    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest, const SubmitContext&) const override {
        return ResolvedRequest{};
    }
    [[nodiscard]] Result<ProductPlan> plan(const RunRequest&) const override { return ProductPlan{}; }
    [[nodiscard]] JobResult<Manifest> run(const RunContext&) const override { return Manifest{}; }
};

TEST(Registry, RefusesTwoOperationsOfOneName) {
    auto registry = Registry::built_in();
    EXPECT_THROW(registry.add(std::make_unique<Twin>()), std::logic_error);
}

}  // namespace
}  // namespace tessera::operations
