// Qualities of AVIF, and ways to one of them, which a search for a target chooses among.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "imaging/pixels/vips_runtime.hpp"
#include "imaging/save/save.hpp"
#include "pixels.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

Image grainy(int width, int height) {
    const VImage waves = VImage::sines(width, height, VImage::option()->set("hfreq", 7.0)->set("vfreq", 4.0)) * 90;
    const VImage grain =
        VImage::gaussnoise(width, height, VImage::option()->set("sigma", 9)->set("mean", 128.0)->set("seed", 5));
    const VImage grey = waves + grain;
    return wrap(VImage::bandjoin({grey, grey.fliphor(), grey.flipver()})
                    .cast(VIPS_FORMAT_UCHAR)
                    .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
                    .copy_memory());
}

// A photograph beside black and white by chance.
Image half_two_tones(int width, int height) {
    const VImage noise =
        VImage::gaussnoise(width / 2, height, VImage::option()->set("sigma", 9)->set("mean", 128.0)->set("seed", 3));
    const VImage tones = (noise > 128).cast(VIPS_FORMAT_UCHAR);
    return wrap(VImage::bandjoin({tones, tones, tones})
                    .join(unwrap(grainy(width - width / 2, height)), VIPS_DIRECTION_HORIZONTAL)
                    .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
                    .copy_memory());
}

// White, but for a photograph in the middle.
Image page(int width, int height) {
    const VImage photograph = unwrap(grainy(width * 2 / 3, height * 2 / 3));
    const auto white = VImage::option()->set("extend", VIPS_EXTEND_WHITE);
    return wrap(photograph.embed(width / 6, height / 6, width, height, white).copy_memory());
}

// libaom has 64 levels, and expects another size of what it takes for a screen's picture: where much of it has two
// tones, but not where a page looks drawn and has a photograph on it.
TEST(AvifQualities, EachQuarterOfALevelTakesMoreBytes) {
    ASSERT_TRUE(start_vips().ok());
    const test::TemporaryFolder folder;
    const std::pair<const char*, Image> pictures[] = {
        {"grain", grainy(192, 128)}, {"two tones", half_two_tones(192, 128)}, {"a page", page(192, 128)}};
    for (const auto& [name, picture] : pictures) {
        SCOPED_TRACE(name);
        constexpr std::size_t quarters = 8;
        Encoding encoding{.format = ImageFormat::avif, .effort = 3, .smallest = true};
        std::vector<std::int64_t> sizes;
        for (std::size_t quarter = 0; quarter <= quarters; ++quarter) {
            encoding.quality = 60 + static_cast<double>(quarter) * finest_step(encoding);
            const auto bytes = save(picture, folder.path() / "out.avif", encoding,
                                    {.max_bytes = 1'000'000, .progress = {}, .cancelled = {}});
            ASSERT_TRUE(bytes.ok()) << bytes.error().detail;
            sizes.push_back(*bytes);
        }
        EXPECT_TRUE(std::ranges::is_sorted(sizes, std::less_equal())) << testing::PrintToString(sizes);
    }
}

TEST(AvifWays, EachMakesAnotherFileOfAboutThatSize) {
    ASSERT_TRUE(start_vips().ok());
    const test::TemporaryFolder folder;
    const Image picture = grainy(192, 128);
    Encoding encoding{.format = ImageFormat::avif, .quality = 85, .effort = 4, .smallest = true};
    ASSERT_GT(ways_of(encoding), 1);
    std::set<std::string> files;
    std::int64_t usual = 0;
    for (encoding.way = 0; encoding.way < ways_of(encoding); ++encoding.way) {
        const auto path = folder.path() / "out.avif";
        const auto bytes = save(picture, path, encoding, {.max_bytes = 1'000'000, .progress = {}, .cancelled = {}});
        ASSERT_TRUE(bytes.ok()) << bytes.error().detail;
        if (encoding.way == 0) usual = *bytes;
        EXPECT_NEAR(static_cast<double>(*bytes) / static_cast<double>(usual), 1, 0.2) << encoding.way;
        std::string complaint;
        const auto file = read_whole_file(path, 1'000'000);
        ASSERT_TRUE(file.ok());
        EXPECT_TRUE(pixels_of(*file, ImageFormat::avif, &complaint)) << encoding.way << ' ' << complaint;
        files.insert(*file);
    }
    EXPECT_EQ(files.size(), static_cast<std::size_t>(ways_of(encoding)));
}

TEST(AvifWays, AreForWhatIsSearchedThoroughly) {
    EXPECT_EQ(ways_of({.format = ImageFormat::avif, .smallest = false}), 1);
    EXPECT_EQ(ways_of({.format = ImageFormat::avif, .lossless = true, .smallest = true}), 1);
    EXPECT_EQ(ways_of({.format = ImageFormat::webp, .smallest = true}), 1);
}

}  // namespace
}  // namespace tessera::imaging
