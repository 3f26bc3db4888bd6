// Ways to one quality of AVIF, which a search for a target chooses among.
#include <gtest/gtest.h>

#include <set>

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
