// JPEGs that are wanted smaller, as the operations open them: our own reader, and libjpeg where that gives up.
#include "imaging/formats/jpeg_image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "imaging/picture/open_part.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "support/images.hpp"
#include "support/jpegs.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

// The root of the mean square.
double difference(const std::string& one, const std::string& other) {
    double squares = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const int apart = static_cast<std::uint8_t>(one[i]) - static_cast<std::uint8_t>(other[i]);
        squares += apart * apart;
    }
    return std::sqrt(squares / static_cast<double>(one.size()));
}

class JpegImage : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    std::string complaint;  // of the last file that could not be read

    // Empty where the file can't be read to its end.
    std::optional<std::string> pixels(const std::string& bytes, int shrink) {
        const auto file = test::file_with(bytes);
        take_vips_error();
        try {
            const auto image = plain_jpeg(file.get(), shrink);
            if (!image) return std::nullopt;
            std::size_t size = 0;
            void* memory = image->write_to_memory(&size);
            std::string read(static_cast<const char*>(memory), size);
            g_free(memory);
            if (!rows_have_failed()) return read;
            complaint = take_vips_error();
            return std::nullopt;
        } catch (const vips::VError& error) {
            complaint = error.what();
            vips_error_clear();
            return std::nullopt;
        }
    }
};

constexpr test::JpegScans every_layout[] = {test::JpegScans::one, test::JpegScans::each, test::JpegScans::bits};

TEST_F(JpegImage, RestartsOutOfOrderAreLeftToLibjpegsGuesses) {
    for (const test::JpegScans scans : every_layout) {
        const std::string whole = test::make_jpeg({.width = 320, .height = 256, .restart_units = 20, .scans = scans});
        std::string damaged = whole;
        const std::size_t at = damaged.find("\xff\xd2");
        ASSERT_NE(at, std::string::npos);
        damaged[at + 1] = '\xd6';  // too far away to be a restart that was passed over: taken for the right one
        const auto expected = pixels(whole, 4);
        const auto read = pixels(damaged, 4);
        ASSERT_TRUE(expected && read) << static_cast<int>(scans) << ": " << complaint;
        ASSERT_EQ(read->size(), expected->size());
        // Both decoders had a part in it; they differ in how they round and in what they leave out.
        EXPECT_LT(difference(*read, *expected), 3) << static_cast<int>(scans);
    }
}

// Decoders round sizes up, libvips down: a picture of any size is for our readers, and shows what libvips shows.
TEST_F(JpegImage, SizesThatDoNotDivideAreReadByUsToo) {
    for (const test::JpegScans scans : every_layout) {
        for (const int shrink : {1, 2, 4, 8}) {
            const std::string file = test::make_jpeg({.width = 321, .height = 251, .scans = scans});
            const VImage theirs = VImage::new_from_buffer(file, "", VImage::option()->set("shrink", shrink));
            const auto ours = pixels(file, shrink);
            ASSERT_TRUE(ours) << static_cast<int>(scans) << " at 1/" << shrink << ": " << complaint;
            std::size_t size = 0;
            void* memory = theirs.write_to_memory(&size);
            const std::string expected(static_cast<const char*>(memory), size);
            g_free(memory);
            ASSERT_EQ(ours->size(), expected.size());
            EXPECT_LT(difference(*ours, expected), 5) << static_cast<int>(scans) << " at 1/" << shrink;
        }
    }
}

// A reduced pixel stands for as many as it was made of, whatever is left at the end: else all of them would be
// stretched.
TEST_F(JpegImage, APartIsAsLongAsItIsInTheFile) {
    const Size small{50, 40};
    for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png}) {
        const auto file = test::file_with(test::make_image({.format = format, .width = 807, .height = 645}));
        const auto opened = open_whole({.fd = file.get(), .format = format, .max_pixels = 1'000'000}, small);
        ASSERT_TRUE(opened.ok());
        EXPECT_LT(opened->image.width(), 110) << to_string(format);
        EXPECT_EQ(opened->part.across.length, 807 / 8.0) << to_string(format);
        EXPECT_EQ(opened->part.down.length, 645 / 8.0) << to_string(format);
    }
}

// Also in the rows that are no whole pixel any more.
TEST_F(JpegImage, DamageAtTheVeryEndShows) {
    for (const test::JpegScans scans : every_layout) {
        const std::string whole = test::make_jpeg({.width = 64, .height = 257, .scans = scans});
        ASSERT_TRUE(pixels(whole, 8));
        constexpr std::size_t end_marker = 2;
        EXPECT_FALSE(pixels(whole.substr(0, whole.size() - end_marker - 8), 8)) << static_cast<int>(scans);
    }
}

TEST_F(JpegImage, AFileThatEndsEarlyIsRefusedByBoth) {
    for (const test::JpegScans scans : every_layout) {
        const std::string whole = test::make_jpeg({.width = 320, .height = 256, .restart_units = 20, .scans = scans});
        ASSERT_TRUE(pixels(whole, 4));
        EXPECT_FALSE(pixels(whole.substr(0, whole.size() / 2), 4));
    }
}

}  // namespace
}  // namespace tessera::imaging
