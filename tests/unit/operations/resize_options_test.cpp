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

TEST(ResizeOptions, OfEqualMeaningHaveOneFingerprint) {
    EXPECT_EQ(answer(R"({"width":800})"), answer(R"({"quality":80.0,"fit":"inside","width":8e2,"format":"jpeg"})"));
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
