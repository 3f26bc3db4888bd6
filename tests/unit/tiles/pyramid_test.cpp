#include "tiles/pyramid/pyramid.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "imaging/tile/decoder.hpp"
#include "pictures.hpp"
#include "support/temporary_folder.hpp"
#include "tiles/archive/archive.hpp"

namespace tessera::tiles {
namespace {

// A pyramid, built and opened.
struct Built {
    test::TemporaryFolder folder;
    JobResult<void> outcome;
    ArchiveSummary summary;
    UniqueFd fd;
    std::shared_ptr<const Archive> archive;
    PyramidShape shape;
    PyramidOptions options;

    Built(imaging::RowSource& source, PyramidOptions wanted)
        : shape(*PyramidShape::make(source.width(), source.height(), wanted.tile_size)), options(std::move(wanted)) {
        ArchiveInfo info;
        info.geometry = {options.encoding.format, options.tile_size, source.width(), source.height(), 0,
                         shape.max_zoom()};
        ArchiveWriter writer(info, folder.path());
        outcome = build_pyramid(source, options, writer);
        if (!outcome) return;
        summary = *writer.finish(folder / "a");
        fd = std::move(*open_for_reading(folder / "a"));
        archive = *Archive::open(fd.get());
    }

    ImageBuffer tile(int zoom, std::int64_t column, std::int64_t row) const {
        const auto bytes = archive->read_tile(*TileCoord::make(zoom, column, row));
        EXPECT_TRUE(bytes.ok() && *bytes) << zoom << "/" << column << "/" << row;
        auto decoded = imaging::decode_tile(options.encoding.format, **bytes, options.tile_size, PixelLayout::rgba);
        EXPECT_TRUE(decoded.ok());
        return std::move(*decoded);
    }
    Colour pixel(int zoom, std::int64_t x, std::int64_t y) const {
        const int size = options.tile_size;
        const auto image = tile(zoom, x / size, y / size);
        const std::uint8_t* at = image.row(0, y % size) + 4 * (x % size);
        return {at[0], at[1], at[2], at[3]};
    }
};

PyramidOptions png(int tile_size = 256, int threads = 2) {
    PyramidOptions options;
    options.tile_size = tile_size;
    options.encoding = {ImageFormat::png, 80};
    options.background = {0, 0, 0, 0};
    options.threads = threads;
    return options;
}

// The pixels of a level by the definition: means of 2x2, the edge repeated.
class Reference {
  public:
    Reference(std::int64_t width, std::int64_t height, const Formula& formula) : width_(width), height_(height) {
        for (std::int64_t y = 0; y < height; ++y) {
            for (std::int64_t x = 0; x < width; ++x) pixels_.push_back(formula(x, y));
        }
    }
    [[nodiscard]] Reference halved() const {
        Reference half;
        half.width_ = (width_ + 1) / 2;
        half.height_ = (height_ + 1) / 2;
        for (std::int64_t y = 0; y < half.height_; ++y) {
            for (std::int64_t x = 0; x < half.width_; ++x) half.pixels_.push_back(mean(2 * x, 2 * y));
        }
        return half;
    }
    [[nodiscard]] Colour at(std::int64_t x, std::int64_t y) const {
        return pixels_[static_cast<std::size_t>(std::min(y, height_ - 1) * width_ + std::min(x, width_ - 1))];
    }
    std::int64_t width_ = 0;
    std::int64_t height_ = 0;

  private:
    Reference() = default;
    [[nodiscard]] Colour mean(std::int64_t x, std::int64_t y) const {
        const Colour c[] = {at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)};
        const int alpha = c[0].alpha + c[1].alpha + c[2].alpha + c[3].alpha;
        const auto of = [&](std::uint8_t Colour::*part) {
            int sum = 0;
            for (const Colour& one : c) sum += one.*part * one.alpha;
            return alpha == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>((sum + alpha / 2) / alpha);
        };
        return {of(&Colour::red), of(&Colour::green), of(&Colour::blue), static_cast<std::uint8_t>((alpha + 2) / 4)};
    }
    std::vector<Colour> pixels_;
};

// Compares every pixel of every zoom, padding included.
void expect_exact(const Built& built, const Formula& formula) {
    ASSERT_TRUE(built.outcome.ok()) << built.outcome.error().message;
    Reference level(built.shape.size().width, built.shape.size().height, formula);
    const int size = built.options.tile_size;
    for (int zoom = built.shape.max_zoom(); zoom >= 0; --zoom) {
        for (std::uint32_t row = 0; row < built.shape.rows_at(zoom); ++row) {
            for (std::uint32_t column = 0; column < built.shape.columns_at(zoom); ++column) {
                const auto tile = built.tile(zoom, column, row);
                for (int i = 0; i < size * size; ++i) {
                    const std::int64_t x = std::int64_t{column} * size + i % size;
                    const std::int64_t y = std::int64_t{row} * size + i / size;
                    const std::uint8_t* at = tile.row(0, i / size) + 4 * (i % size);
                    const bool inside = x < level.width_ && y < level.height_;
                    const Colour expected = inside ? level.at(x, y) : Colour{0, 0, 0, 0};
                    ASSERT_EQ((Colour{at[0], at[1], at[2], at[3]}), expected) << zoom << " at " << x << "," << y;
                }
            }
        }
        level = level.halved();
    }
    EXPECT_EQ(built.summary.tile_count, built.shape.tile_count());
}

struct Dimensions {
    std::int64_t width;
    std::int64_t height;
};

class OddSizes : public testing::TestWithParam<Dimensions> {};

TEST_P(OddSizes, GiveExactTilesAtEveryZoom) {
    const auto [width, height] = GetParam();
    FormulaSource source(PixelLayout::rgb, width, height, noise);
    expect_exact(Built(source, png()), noise);
}

INSTANTIATE_TEST_SUITE_P(Pyramid, OddSizes,
                         testing::Values(Dimensions{1, 1}, Dimensions{257, 255}, Dimensions{255, 257},
                                         Dimensions{256, 256}, Dimensions{16384, 3}, Dimensions{3, 5000},
                                         Dimensions{1, 100000}, Dimensions{513, 1025}, Dimensions{1023, 767}),
                         [](const auto& it) {
                             return std::to_string(it.param.width) + "x" + std::to_string(it.param.height);
                         });

TEST(Pyramid, IsTheSameOnOneThreadAndOnMany) {
    FormulaSource one(PixelLayout::rgb, 1500, 1100, gradient);
    FormulaSource many(PixelLayout::rgb, 1500, 1100, gradient);
    const Built a(one, png(256, 1));
    const Built b(many, png(256, 7));
    const auto file_a = read_whole_file(a.folder / "a", 100 << 20);
    const auto file_b = read_whole_file(b.folder / "a", 100 << 20);
    EXPECT_EQ(*file_a, *file_b);
}

TEST(Pyramid, TilesOf512AreExactToo) {
    FormulaSource source(PixelLayout::rgb, 1300, 700, noise);
    expect_exact(Built(source, png(512)), noise);
}

TEST(Pyramid, GraySourcesStayGray) {
    const Formula gray = [](std::int64_t x, std::int64_t y) {
        const auto value = static_cast<std::uint8_t>(x * y / 50);
        return Colour{value, value, value, 255};
    };
    FormulaSource source(PixelLayout::gray, 700, 500, gray);
    expect_exact(Built(source, png()), gray);
}

TEST(Pyramid, AlphaIsAveragedWithoutFringes) {
    // A red disc on transparent green: no green may show at any zoom.
    const Formula disc = [](std::int64_t x, std::int64_t y) {
        const bool inside = (x - 400) * (x - 400) + (y - 300) * (y - 300) < 250 * 250;
        return inside ? Colour{255, 0, 0, 255} : Colour{0, 255, 0, 0};
    };
    FormulaSource source(PixelLayout::rgba, 800, 600, disc);
    const Built built(source, png());
    expect_exact(built, disc);
    for (int zoom = 0; zoom < built.shape.max_zoom(); ++zoom) {
        const auto tile = built.tile(zoom, 0, 0);
        for (int i = 0; i < 256 * 256; ++i) {
            const std::uint8_t* at = tile.row(0, i / 256) + 4 * (i % 256);
            if (at[3] == 0) continue;
            ASSERT_EQ(at[1], 0) << "green bled in";
            ASSERT_EQ(at[0], 255) << "the edge is darker than the disc";
        }
    }
}

TEST(Pyramid, EqualTilesAreStoredOnce) {
    const Formula flat = [](std::int64_t, std::int64_t) { return Colour{10, 20, 30, 255}; };
    FormulaSource source(PixelLayout::rgb, 4096, 4096, flat);
    const Built built(source, png());
    EXPECT_EQ(built.summary.tile_count, 341U);
    EXPECT_EQ(built.summary.content_count, 1U);
    EXPECT_LT(built.summary.byte_size, 2000U);
}

TEST(Pyramid, JpegEdgesArePaddedWithTheBackground) {
    FormulaSource source(PixelLayout::rgb, 300, 200, [](auto, auto) { return Colour{200, 200, 200, 255}; });
    PyramidOptions options = png();
    options.encoding = {ImageFormat::jpeg, 90};
    options.background = {0, 0, 255, 255};
    const Built built(source, options);
    const Colour padding = built.pixel(1, 400, 100);
    EXPECT_NEAR(padding.red, 0, 3);
    EXPECT_NEAR(padding.blue, 255, 3);
    const Colour picture = built.pixel(1, 100, 100);
    EXPECT_NEAR(picture.green, 200, 3);
}

TEST(Pyramid, LossyFormatsStayNearTheSource) {
    for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::webp}) {
        for (const int quality : {80, 95}) {
            FormulaSource source(PixelLayout::rgb, 1024, 768, gradient);
            PyramidOptions options = png();
            options.encoding = {format, quality};
            options.background = {255, 255, 255, 255};
            const Built built(source, options);
            ASSERT_TRUE(built.outcome.ok());
            double error = 0;
            const auto tile = built.tile(2, 1, 1);
            for (int i = 0; i < 256 * 256; ++i) {
                const Colour truth = gradient(256 + i % 256, 256 + i / 256);
                const std::uint8_t* at = tile.row(0, i / 256) + 4 * (i % 256);
                error +=
                    std::pow(at[0] - truth.red, 2) + std::pow(at[1] - truth.green, 2) + std::pow(at[2] - truth.blue, 2);
            }
            const double psnr = 10 * std::log10(255.0 * 255.0 * 3 * 256 * 256 / error);
            EXPECT_GT(psnr, 38) << to_string(format) << " " << quality;
        }
    }
}

TEST(Pyramid, AFailingSourceFailsTheBuild) {
    FormulaSource source(PixelLayout::rgb, 2000, 2000, noise, 1200);
    const Built built(source, png());
    ASSERT_FALSE(built.outcome.ok());
    EXPECT_EQ(built.outcome.error().code, JobErrorCode::decode_failed);
}

TEST(Pyramid, StopsWhenItIsCancelled) {
    FormulaSource source(PixelLayout::rgb, 2000, 20000, noise);
    PyramidOptions options = png();
    std::atomic<double> reached = 0;  // read by every encoding thread
    options.progress = [&](double share) { reached = share; };
    options.cancelled = [&] { return reached > 0.1; };
    const Built built(source, options);
    EXPECT_FALSE(built.outcome.ok());
    EXPECT_LT(reached, 0.5);
}

TEST(Pyramid, StopsAtTheByteCap) {
    FormulaSource source(PixelLayout::rgb, 3000, 3000, noise);
    PyramidOptions options = png();
    options.max_bytes = 2'000'000;
    const Built built(source, options);
    ASSERT_FALSE(built.outcome.ok());
    EXPECT_EQ(built.outcome.error().code, JobErrorCode::artifact_too_large);
}

TEST(Pyramid, ReportsProgressThatRises) {
    FormulaSource source(PixelLayout::rgb, 600, 3000, gradient);
    PyramidOptions options = png();
    std::vector<double> shares;
    options.progress = [&](double share) { shares.push_back(share); };
    const Built built(source, options);
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GT(shares.back(), 0.9);
    EXPECT_LE(shares.back(), 1.0);
}

}  // namespace
}  // namespace tessera::tiles
