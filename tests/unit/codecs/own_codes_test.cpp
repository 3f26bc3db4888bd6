#include "codecs/jpeg/own_codes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vips/vips8>

#include "imaging/pixels/vips_runtime.hpp"
#include "support/jpegs.hpp"

namespace tessera::codecs {
namespace {

using test::JpegKind;
using test::JpegScans;
using test::make_jpeg;
using test::reduced_by_definition;

std::optional<std::string> recoded(std::string_view file) {
    const auto made = with_own_codes({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
    if (!made) return std::nullopt;
    return std::string(made->begin(), made->end());
}

// By libjpeg, which complains of nothing.
std::string pixels_of(const std::string& file) {
    std::size_t size = 0;
    auto* memory = vips::VImage::new_from_buffer(file.data(), file.size(), "[fail_on=warning]").write_to_memory(&size);
    std::string pixels(static_cast<const char*>(memory), size);
    g_free(memory);
    return pixels;
}

const JpegKind kinds[] = {
    {},
    {.bands = 1},
    {.across = 2, .down = 2},
    {.across = 2},
    {.width = 1, .height = 1},
    {.width = 17, .height = 33, .across = 2, .down = 2},
    {.width = 400, .height = 300, .quality = 100},
    {.quality = 1},
    {.width = 300, .height = 200, .bands = 1, .quality = 50},
    {.is_rgb = true},
};

// libjpeg reads the result, and its own codes for the same picture are the measure of ours.
TEST(OwnCodes, AreAsShortAsLibjpegsAndChangeNoCoefficient) {
    ASSERT_TRUE(imaging::start_vips().ok());
    for (JpegKind kind : kinds) {
        SCOPED_TRACE(kind.name());
        const std::string file = make_jpeg(kind);
        const auto made = recoded(file);
        ASSERT_TRUE(made);
        EXPECT_TRUE(pixels_of(file) == pixels_of(*made));
        kind.optimised = true;
        const std::size_t theirs = make_jpeg(kind).size();
        EXPECT_LE(made->size(), theirs + 16 + theirs / 5000);  // codes of 15 bits at most, where theirs have 16
        EXPECT_TRUE(recoded(*made) == made) << "there is nothing better than the best";
    }
}

TEST(OwnCodes, AreNotMade) {
    EXPECT_FALSE(recoded(make_jpeg({.scans = JpegScans::progressive})));
    EXPECT_FALSE(recoded(make_jpeg({.scans = JpegScans::each})));
    EXPECT_FALSE(recoded(make_jpeg({.restart_units = 2})));
    EXPECT_FALSE(recoded(""));
    EXPECT_FALSE(recoded("\xFF\xD8"));
}

TEST(OwnCodes, AreNotMadeOfHalfAFile) {
    const std::string file = make_jpeg({});
    for (std::size_t size = 0; size + 2 < file.size(); size += 7) {
        EXPECT_FALSE(recoded(std::string_view(file).substr(0, size))) << size;
    }
}

// What comes out of a damaged file is nothing, or a file that libjpeg reads without a complaint.
TEST(OwnCodes, AreOfWhatWasRead) {
    const std::string file = make_jpeg({.width = 40, .height = 40, .across = 2, .down = 2});
    std::mt19937 random(7);
    int made = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string damaged = file;
        damaged[20 + random() % (damaged.size() - 20)] = static_cast<char>(random());
        const auto result = recoded(damaged);
        if (!result) continue;
        ++made;
        const auto read = reduced_by_definition(*result, 2);
        EXPECT_FALSE(read && read->is_damaged) << i;
    }
    EXPECT_GT(made, 100);
}

}  // namespace
}  // namespace tessera::codecs
