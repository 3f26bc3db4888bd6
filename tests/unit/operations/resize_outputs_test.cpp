// Several results of one job: what each takes from the job, what they are called, what they cost, and how they look.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>

#include "imaging/picture/probe.hpp"
#include "operations/inspection.hpp"
#include "operations/registry.hpp"
#include "operations/resize_options.hpp"
#include "run_here.hpp"
#include "support/images.hpp"

namespace tessera::operations {
namespace {

namespace json = boost::json;
using test::accept;
using testing::ElementsAre;
using testing::HasSubstr;
using vips::VImage;

const ImageInfo photo{ImageFormat::jpeg, 4000, 3000, 1, false, 8, "srgb"};

json::array outputs_for(const std::string& options) {
    const auto accepted = accept("resize", options, photo);
    if (!accepted) throw std::runtime_error(accepted.error().message);
    return accepted->options.at("outputs").as_array();
}

std::string refusal_of(const std::string& options) {
    const auto accepted = accept("resize", options, photo);
    return accepted ? "accepted" : accepted.error().message + " / " + accepted.error().hint;
}

std::vector<std::string> kinds_of(const std::string& options) {
    std::vector<std::string> kinds;
    for (const ResizeResult& result : resize_results(accept("resize", options, photo)->options)) {
        kinds.push_back(result.kind);
    }
    return kinds;
}

TEST(ResizeOutputs, TakeWhatTheyDoNotSayFromTheJob) {
    const json::array outputs = outputs_for(
        R"({"height":300,"quality":50,"fit":"cover","focus":{"x":1,"y":1},
            "outputs":[{"width":640,"height":480},{"position":"north","format":"png"},{"width":90,"fit":"cover"}]})");
    EXPECT_EQ(json::serialize(outputs.at(0)), R"({"width":640,"height":480,"fit":"cover","format":"jpeg","quality":50,)"
                                              R"("background":"#ffffff","enlarge":false,"focus":{"x":1,"y":1}})");
    EXPECT_EQ(json::serialize(outputs.at(1)),
              R"({"height":300,"fit":"cover","position":"north","format":"png","quality":50,)"
              R"("background":"#00000000","enlarge":false})");
    EXPECT_FALSE(outputs.at(2).as_object().contains("height")) << "a size of its own replaces the job's";
}

// The source has 12 megapixels; over 50 of work make a job heavy.
TEST(ResizeOutputs, AllOfThemMakeAJobHeavy) {
    const auto heavy = [](const std::string& options) { return accept("resize", options, photo)->heavy; };
    EXPECT_FALSE(heavy(R"({"outputs":[{"width":1600,"format":"avif"},{"width":4000},{"width":3000}]})"))
        << "19.2 of avif, 12 and 6.75 of jpeg: only avif is slow";
    EXPECT_TRUE(heavy(R"({"outputs":[{"width":1600,"format":"avif"},{"width":1600,"format":"avif"}]})"));
    EXPECT_TRUE(heavy(R"({"outputs":[{"width":1600,"format":"avif"},{"width":1600,"format":"avif"},{"width":8}]})"))
        << "whatever the last of them is";
    EXPECT_FALSE(heavy(R"({"width":1200,"format":"avif"})"));
    EXPECT_TRUE(heavy(R"({"width":1200,"format":"avif","target":80})")) << "a target takes several encodes";
    EXPECT_TRUE(heavy(R"({"width":1200,"format":"auto"})"));
    EXPECT_FALSE(accept("optimize", R"({"quality":70})", photo)->heavy);
    EXPECT_TRUE(accept("optimize", R"({"target":70})", photo)->heavy);
}

TEST(ResizeOutputs, ThatComeBackMayBeSentAgain) {
    const auto first = accept("resize", R"({"trim":3,"outputs":[{"width":640},{"height":90,"format":"png"}]})", photo);
    ASSERT_TRUE(first);
    const auto again = accept("resize", json::serialize(first->options), photo);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(json::serialize(again->options), json::serialize(first->options));
}

TEST(ResizeOutputs, AreRefusedByTheirPlace) {
    EXPECT_EQ(refusal_of(R"({"outputs":[{"width":5},{"format":"png"}]})"),
              "resize requires width or height / see outputs[1]");
    EXPECT_EQ(refusal_of(R"({"outputs":[]})"), "outputs must have 1 to 20 items / ");
    EXPECT_THAT(refusal_of(R"({"outputs":[{"width":5,"quality":0}]})"), HasSubstr("outputs[0].quality must be"));
    EXPECT_THAT(refusal_of(R"({"outputs":[{"width":5,"crop":{}}]})"), HasSubstr(R"(unknown option "outputs[0].crop")"));
    EXPECT_EQ(refusal_of(R"({"width":9,"outputs":[{"focus":{"x":0,"y":0},"position":"north","fit":"cover"}]})"),
              "focus and position exclude each other / see outputs[0]");
    EXPECT_EQ(refusal_of(R"({"width":9,"outputs":[{},{"background":"transparent"}]})"),
              "background must be opaque for jpeg output / see outputs[1]");
    EXPECT_THAT(refusal_of(R"({"width":9,"outputs":[{},{"width":20000,"enlarge":true,"format":"webp"}]})"),
                HasSubstr("webp holds at most 16383"));
}

TEST(ResizeOutputs, MayHaveTargetsOfTheirOwn) {
    const json::array outputs = outputs_for(
        R"({"width":640,"target":"low","outputs":[{},{"quality":70},{"format":"auto"},{"quality":"auto"},
                                                  {"format":"auto","target":"visually_lossless"}]})");
    const auto asked = [&](std::size_t i) {
        const json::object& one = outputs.at(i).as_object();
        EXPECT_NE(one.contains("target"), one.contains("quality")) << i;
        return one.contains("target") ? one.at("target").as_int64() : -one.at("quality").as_int64();
    };
    EXPECT_EQ(asked(0), 60);
    EXPECT_EQ(asked(1), -70);
    EXPECT_EQ(asked(2), 60) << "the job's";
    EXPECT_EQ(asked(3), 80);
    EXPECT_EQ(asked(4), 90);
    EXPECT_EQ(outputs_for(R"({"outputs":[{"width":9,"format":"auto"}]})").at(0).at("target"), 80);
    EXPECT_EQ(refusal_of(R"({"width":9,"outputs":[{},{"quality":70,"target":70}]})"),
              "quality and target are two answers to one question: give one of them / see outputs[1]");
    EXPECT_THAT(refusal_of(R"({"width":9,"format":"auto","outputs":[{"quality":70}]})"),
                HasSubstr("format auto compares formats at one target"));
}

TEST(ResizeOutputs, ThatAreExactTakeNoTargetFromTheJob) {
    for (const char* shared : {R"("target":70)", R"("format":"auto")", R"("quality":"auto")"}) {
        const std::string options =
            R"({"width":9,)" + std::string(shared) + R"(,"outputs":[{"format":"webp"},{"format":"png"}]})";
        const json::array outputs = outputs_for(options);
        EXPECT_TRUE(outputs.at(0).as_object().contains("target")) << shared;
        EXPECT_FALSE(outputs.at(1).as_object().contains("target")) << shared;

        const auto first = accept("resize", options, photo);
        const auto again = accept("resize", json::serialize(first->options), photo);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(json::serialize(again->options), json::serialize(first->options));
    }
    EXPECT_THAT(refusal_of(R"({"width":9,"outputs":[{},{"format":"png","target":70}]})"),
                HasSubstr("png output is exact"));
    EXPECT_THAT(refusal_of(R"({"width":9,"target":70,"format":"png","outputs":[{}]})"),
                HasSubstr("png output is exact"))
        << "the job says both";
}

TEST(ResizeOutputs, AreCalledByTheirBoxes) {
    EXPECT_THAT(kinds_of(R"({"width":800})"), ElementsAre("primary"));
    EXPECT_THAT(kinds_of(R"({"outputs":[{"width":1280},{"width":640},{"width":320,"dpr":2},{"height":90},
                                        {"width":9,"height":9},{"width":640,"format":"avif"},{"width":1280}]})"),
                ElementsAre("primary", "w640", "w640-2", "h90", "w9", "w640-3", "w1280"));
}

TEST(ResizeOutputs, CostTheirPixelsAfterTheFirst) {
    const auto credits = [](const std::string& options) { return accept("resize", options, photo)->credits; };
    EXPECT_EQ(credits(R"({"outputs":[{"width":2000}]})"), 12);
    EXPECT_EQ(credits(R"({"outputs":[{"width":2000},{"width":400}]})"), 13);                 // 0.12 megapixels more
    EXPECT_EQ(credits(R"({"outputs":[{"width":2000},{"width":2000},{"width":400}]})"), 16);  // 3.12 more
}

TEST(ResizeOutputs, AreJudgedEachAndTogether) {
    const auto refusal = [](const std::string& options, auto&& prepare) {
        SubmitContext context = test::knowing(photo);
        prepare(context);
        const auto answer = test::accepted("resize", json::parse(options), test::known_asset, context);
        return answer ? "accepted" : std::string(to_string(answer.error().code));
    };
    const auto plan = [](SubmitContext& context) { context.plan.max_output_edge_pixels = 999; };
    EXPECT_EQ(refusal(R"({"outputs":[{"width":900},{"width":1000}]})", plan), "plan_limit_exceeded");
    EXPECT_EQ(refusal(R"({"outputs":[{"width":900},{"width":999}]})", plan), "accepted");
    const auto worker = [](SubmitContext& context) { context.worker.max_output_megapixels = 12; };
    EXPECT_EQ(refusal(R"({"outputs":[{"width":2000},{"width":2000},{"width":2000}]})", worker), "accepted");
    EXPECT_EQ(refusal(R"({"outputs":[{"width":2000},{"width":4000},{"width":2000}]})", worker),
              "worker_capacity_exceeded");
}

class ResizeRuns : public testing::Test {
  protected:
    static VImage scene(int width, int height) {
        const VImage waves =
            VImage::sines(width, height, VImage::option()->set("hfreq", 9)->set("vfreq", 5)) * 60 + 128;
        const VImage place = VImage::xyz(width, height);
        return VImage::bandjoin({waves, place.extract_band(0) * (255.0 / width), waves.fliphor()})
            .cast(VIPS_FORMAT_UCHAR)
            .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
            .copy_memory();
    }
    void SetUp() override { test::make_image({}); }  // starts libvips

    struct Made {
        Manifest manifest;
        std::vector<std::string> bytes;
    };
    // Run, and held against the plan as the host does it.
    static JobResult<Made> run(const std::string& options, const std::string& source, const RunLimits& limits = {}) {
        const auto info = imaging::probe(test::file_with(source).get(), {});
        const auto accepted = accept("resize", options, *info);
        if (!accepted) throw std::runtime_error(accepted.error().message);
        RunRequest request;
        request.operation = "resize";
        request.options = accepted->options;
        request.images = {{*accepted->asset_id, *info, static_cast<std::int64_t>(source.size())}};
        request.limits = limits;
        const test::TemporaryFolder folder;
        const RunContext context{
            request, folder.path(), [&](std::size_t) -> Result<UniqueFd> { return test::file_with(source); },
            {},      [](double) {}, [] { return false; }};
        const auto registry = Registry::built_in();
        const Operation& resize = *registry.find("resize");
        const auto claimed = resize.run(context);
        if (!claimed) return claimed.error();
        Made made;
        std::vector<UniqueFd> open;
        const auto take = [&](const std::string& name) -> Result<FileMade, JobError> {
            std::ifstream stream(folder.path() / name, std::ios::binary);
            made.bytes.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
            open.push_back(test::file_with(made.bytes.back()));
            return FileMade{open.back().get(), static_cast<std::int64_t>(made.bytes.back().size())};
        };
        auto manifest = inspect(*resize.plan(request), request, *claimed, take);
        if (!manifest) return manifest.error();
        made.manifest = std::move(*manifest);
        return made;
    }
};

TEST_F(ResizeRuns, EachOutputLooksAsIfItWereAlone) {
    const VImage picture = scene(1500, 1000);
    for (const char* suffix : {".jpg[Q=95]", ".png"}) {
        const std::string source = test::encoded(picture, suffix);
        const auto made = run(R"({"format":"png","rotate":90,"outputs":[{"width":80},{"width":600},{"width":400},
                                  {"width":300,"height":300,"fit":"cover"},{"width":170}]})",
                              source);
        ASSERT_TRUE(made) << made.error().detail;
        const std::vector<std::string> alone{R"("width":80)", R"("width":600)", R"("width":400)",
                                             R"("width":300,"height":300,"fit":"cover")", R"("width":170)"};
        ASSERT_EQ(made->bytes.size(), alone.size());
        for (std::size_t i = 0; i < alone.size(); ++i) {
            const auto one = test::must_run("resize", R"({"format":"png","rotate":90,)" + alone[i] + "}", source);
            const VImage shared = test::decoded(made->bytes[i]);
            EXPECT_EQ(made->manifest.artifacts[i].width, one.file.width);
            EXPECT_EQ(shared.height(), one.file.height);
            EXPECT_GT(test::psnr(shared, test::decoded(one.bytes)), 38) << suffix << " " << alone[i];
        }
    }
}

TEST_F(ResizeRuns, OutputsHaveTheirKindsAndFormatsInTheOrderOfTheRequest) {
    const auto made = run(R"({"outputs":[{"width":100,"format":"webp"},{"width":300,"format":"png"},{"width":100}]})",
                          test::encoded(scene(400, 300), ".jpg"));
    ASSERT_TRUE(made) << made.error().detail;
    const auto& all = made->manifest.artifacts;
    ASSERT_EQ(all.size(), 3);
    EXPECT_EQ(all[0].kind + " " + all[0].content_type, "primary image/webp");
    EXPECT_EQ(all[1].kind + " " + all[1].content_type, "w300 image/png");
    EXPECT_EQ(all[2].kind + " " + all[2].content_type, "w100 image/jpeg");
    EXPECT_EQ(all[1].width, 300);
}

TEST_F(ResizeRuns, OutputsReachTheTargetsThatTheyHave) {
    const auto made = run(R"({"format":"webp","outputs":[{"width":200,"target":85},{"width":100,"quality":50},
                                                         {"width":120,"format":"auto"}]})",
                          test::encoded(scene(400, 300), ".png"));
    ASSERT_TRUE(made) << made.error().detail;
    const auto& all = made->manifest.artifacts;
    ASSERT_EQ(all.size(), 3);
    EXPECT_TRUE(all[0].metadata.at("target_reached").as_bool());
    EXPECT_EQ(all[0].metadata.at("target"), 85);
    EXPECT_EQ(all[1].metadata.at("quality"), 50);
    EXPECT_FALSE(all[1].metadata.contains("target"));
    EXPECT_TRUE(all[2].metadata.contains("chosen_because"));
    for (const OutputFile& one : all) EXPECT_TRUE(one.metadata.contains("dominant_color")) << one.kind;
}

TEST_F(ResizeRuns, AnExactOutputIsMadeBesideOnesWithTargets) {
    const auto made = run(R"({"target":60,"outputs":[{"width":60,"format":"jpeg"},{"width":50,"format":"png"}]})",
                          test::encoded(scene(400, 300), ".jpg"));
    ASSERT_TRUE(made) << made.error().detail;
    const auto& all = made->manifest.artifacts;
    ASSERT_EQ(all.size(), 2);
    EXPECT_EQ(all[0].metadata.at("target"), 60);
    EXPECT_EQ(all[1].content_type, "image/png");
    EXPECT_FALSE(all[1].metadata.contains("target"));
}

TEST_F(ResizeRuns, OutputsShareTheRoomForFiles) {
    const std::string source = test::encoded(scene(400, 300), ".png");
    const std::string options = R"({"format":"png","outputs":[{"width":300},{"width":299},{"width":298}]})";
    const auto whole = run(options, source);
    ASSERT_TRUE(whole);
    RunLimits limits;
    limits.max_artifact_bytes =
        static_cast<std::int64_t>(whole->bytes[0].size() + whole->bytes[1].size() + whole->bytes[2].size() / 2);
    const auto cut = run(options, source, limits);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, JobErrorCode::artifact_too_large);
}

TEST_F(ResizeRuns, TheHostTakesNoOtherKindsThanThoseThatWereAsked) {
    const std::string source = test::encoded(scene(400, 300), ".png");
    RunRequest request;
    request.operation = "resize";
    request.options = accept("resize", R"({"outputs":[{"width":100},{"width":50}]})",
                             {ImageFormat::png, 400, 300, 1, false, 8, "srgb"})
                          ->options;
    request.images = {{test::known_asset, {ImageFormat::png, 400, 300, 1, false, 8, "srgb"}, 1000}};
    const auto registry = Registry::built_in();
    const auto plan = registry.find("resize")->plan(request);
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->further.size(), 1);
    const std::string large = test::make_image({.format = ImageFormat::png, .width = 100, .height = 75});
    const std::string small = test::make_image({.format = ImageFormat::png, .width = 50, .height = 38});
    const UniqueFd large_file = test::file_with(large);
    const UniqueFd small_file = test::file_with(small);
    const auto take = [&](const std::string& name) -> Result<FileMade, JobError> {
        const bool is_large = name == "large";
        return FileMade{is_large ? large_file.get() : small_file.get(),
                        static_cast<std::int64_t>(is_large ? large.size() : small.size())};
    };
    Manifest claimed;
    claimed.artifacts = {{"large", "primary", "image/png", "png", 100, 75, {}},
                         {"small", "../../etc", "text/html", "html", 50, 38, {}}};
    const auto good = inspect(*plan, request, claimed, take);
    ASSERT_TRUE(good) << good.error().detail;
    EXPECT_EQ(good->artifacts[1].kind, "w50") << "the plan says what it is";
    EXPECT_EQ(good->artifacts[1].content_type, "image/png");
    claimed.artifacts[1].file = "large";
    EXPECT_FALSE(inspect(*plan, request, claimed, take)) << "one file for two results";
    claimed.artifacts.pop_back();
    EXPECT_FALSE(inspect(*plan, request, claimed, take)) << "one is missing";
}

}  // namespace
}  // namespace tessera::operations
