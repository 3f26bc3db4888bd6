#include "codecs/jpeg/reduced/reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/images.hpp"
#include "support/jpegs.hpp"

namespace tessera::codecs {
namespace {

using test::file_with;
using test::JpegKind;
using test::JpegScans;
using test::make_jpeg;
using test::reduced_by_definition;

struct Read {
    bool opened = false;
    bool whole = false;
    std::string pixels;
    std::string complaint;
};

Read read_with_ours(const std::string& bytes, int shrink) {
    Read read;
    const auto file = file_with(bytes);
    const auto reader = ReducedJpeg::open(file.get(), shrink);
    if (!reader) return read;
    read.opened = true;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(reader->width() * reader->bands()));
    for (int y = 0; y < reader->height(); ++y) {
        if (!reader->next_row(row.data())) {
            read.complaint = reader->complaint();
            return read;
        }
        read.pixels.append(row.begin(), row.end());
    }
    read.whole = !reader->next_row(row.data());
    return read;
}

struct Difference {
    int largest = 256;
    double mean_square_root = 256;
};

Difference difference(const std::string& one, const std::string& other) {
    if (one.size() != other.size()) return {};
    int largest = 0;
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const int apart = static_cast<std::uint8_t>(one[i]) - static_cast<std::uint8_t>(other[i]);
        largest = std::max(largest, std::abs(apart));
        sum += apart * apart;
    }
    return {largest, std::sqrt(sum / static_cast<double>(one.size()))};
}

// A sample that is just between two levels may be rounded either way, and colours add to that.
constexpr int rounding = 2;

void expect_alike(const JpegKind& kind, int shrink) {
    const std::string file = make_jpeg(kind);
    const std::string what = kind.name() + ", to 1/" + std::to_string(shrink);
    const Read ours = read_with_ours(file, shrink);
    ASSERT_TRUE(ours.opened) << what;
    ASSERT_TRUE(ours.whole) << what << ": " << ours.complaint;
    const auto right = reduced_by_definition(file, shrink);
    ASSERT_TRUE(right) << what;
    ASSERT_LE(difference(ours.pixels, right->pixels).largest, rounding) << what;
}

constexpr JpegScans every_layout[] = {JpegScans::one, JpegScans::each, JpegScans::progressive, JpegScans::bands,
                                      JpegScans::bits};

TEST(ReducedJpeg, IsWhatTheCoefficientsSay) {
    constexpr std::pair<int, int> sizes[] = {{1, 1}, {7, 9}, {17, 33}, {129, 95}};
    constexpr std::pair<int, int> samplings[] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}};
    for (const auto& [width, height] : sizes) {
        for (const auto& [across, down] : samplings) {
            for (const JpegScans scans : every_layout) {
                for (const int shrink : {2, 4, 8}) {
                    JpegKind kind{.width = width, .height = height, .across = across, .down = down, .scans = scans};
                    expect_alike(kind, shrink);
                    kind.bands = 1;
                    expect_alike(kind, shrink);
                }
            }
        }
    }
}

TEST(ReducedJpeg, ReadsRestartsCodesAndQualitiesOfAllKinds) {
    for (const JpegScans scans : every_layout) {
        for (const int quality : {5, 50, 95}) {
            for (const int restart_units : {0, 1, 5, 1000}) {
                JpegKind kind{.width = 211, .height = 97, .across = 2, .down = 2};
                kind.quality = quality;
                kind.restart_units = restart_units;
                kind.scans = scans;
                kind.optimised = restart_units == 5;
                expect_alike(kind, 4);
                kind.across = kind.down = 1;
                kind.is_rgb = true;
                expect_alike(kind, 2);
            }
        }
    }
}

TEST(ReducedJpeg, ReadsColoursAtAQuarterWhereBlocksAreLargeEnough) {
    const JpegKind kind{.width = 150, .height = 40, .across = 4, .down = 1};
    expect_alike(kind, 4);
    expect_alike(kind, 8);
    EXPECT_FALSE(read_with_ours(make_jpeg(kind), 2).opened);
}

// Far larger than what is read at once, so that codes lie across every border there is.
TEST(ReducedJpeg, ReadsFilesOfManyPieces) {
    for (const JpegScans scans : {JpegScans::one, JpegScans::bits}) {
        expect_alike({.width = 700, .height = 600, .across = 2, .down = 1, .quality = 98, .scans = scans}, 4);
    }
}

// Where a file is so fine that the last bit of its coefficients can't be seen, it is not read.
TEST(ReducedJpeg, LeavesOutOnlyWhatDoesNotShow) {
    for (const JpegScans scans : {JpegScans::progressive, JpegScans::bits}) {
        const JpegKind kind{.width = 320, .height = 240, .across = 2, .down = 1, .quality = 100, .scans = scans};
        const std::string file = make_jpeg(kind);
        const Read ours = read_with_ours(file, 4);
        ASSERT_TRUE(ours.whole);
        const Difference apart = difference(ours.pixels, reduced_by_definition(file, 4)->pixels);
        EXPECT_LT(apart.mean_square_root, 0.8);  // where nothing is left out it is 0.1, and grain is the worst there is
        EXPECT_LE(apart.largest, 4);
    }
}

TEST(ReducedJpeg, LeavesOtherKindsToLibjpeg) {
    const std::string file = make_jpeg({});
    ASSERT_TRUE(read_with_ours(file, 2).opened);
    EXPECT_FALSE(read_with_ours(file, 1).opened);
    EXPECT_FALSE(read_with_ours(file, 3).opened);
    const std::size_t frame = file.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    const auto with = [&](std::size_t at, char byte) {
        std::string changed = file;
        changed[frame + at] = byte;
        return read_with_ours(changed, 4).opened;
    };
    EXPECT_TRUE(with(1, '\xc1'));
    EXPECT_FALSE(with(1, '\xc9')) << "arithmetic coding";
    EXPECT_FALSE(with(1, '\xc3')) << "lossless";
    EXPECT_FALSE(with(4, 12)) << "twelve bits";
    EXPECT_FALSE(with(6, 0)) << "no height";
    EXPECT_FALSE(with(9, 4)) << "four components";
    EXPECT_FALSE(with(11, 0x31)) << "three samples to one";
    EXPECT_FALSE(with(11, 0)) << "no samples";
    EXPECT_FALSE(with(12, 3)) << "a quantiser that is not there";
    std::string no_codes = file;
    for (std::size_t at = 0; (at = no_codes.find("\xff\xc4", at)) != std::string::npos; ++at) no_codes[at + 1] = '\xfe';
    EXPECT_FALSE(read_with_ours(no_codes, 4).opened);
    EXPECT_FALSE(read_with_ours(test::make_image({.bands = 4, .cmyk = true}), 4).opened);
    EXPECT_FALSE(read_with_ours(test::jpeg_header(64250, 64250), 4).whole);
    EXPECT_FALSE(read_with_ours("", 4).opened);
}

TEST(ReducedJpeg, RefusesEveryTruncation) {
    for (const JpegScans scans : every_layout) {
        const std::string file =
            make_jpeg({.width = 24, .height = 18, .across = 2, .restart_units = 1, .scans = scans});
        ASSERT_TRUE(read_with_ours(file, 2).whole);
        for (std::size_t size = 0; size < file.size(); ++size) {
            const Read read = read_with_ours(file.substr(0, size), 2);
            ASSERT_FALSE(read.whole) << "cut to " << size;
            ASSERT_EQ(read.complaint, read.opened ? "JPEG data ends early" : "") << "cut to " << size;
        }
    }
}

TEST(ReducedJpeg, LetsBeWhatFollowsTheLastBlock) {
    const std::string file = make_jpeg({});
    EXPECT_TRUE(read_with_ours(file + std::string(1000, '\xff'), 4).whole);
    EXPECT_TRUE(read_with_ours(file.substr(0, file.size() - 2) + std::string(1000, '\0'), 4).whole);
}

TEST(ReducedJpeg, RefusesRestartsThatAreNotThere) {
    std::string file = make_jpeg({.restart_units = 4});
    const std::size_t at = file.find("\xff\xd1");
    ASSERT_NE(at, std::string::npos);
    file[at + 1] = '\xd3';
    EXPECT_EQ(read_with_ours(file, 4).complaint, "JPEG data ends early");
}

TEST(ReducedJpeg, RefusesEndlessScans) {
    const std::string file = make_jpeg({.width = 16, .height = 16, .scans = JpegScans::each});
    const std::size_t first = file.find("\xff\xda");
    const std::size_t second = file.find("\xff\xc4", first);
    const std::size_t end = second == std::string::npos ? file.find("\xff\xda", first + 2) : second;
    std::string endless = file.substr(0, end);
    for (int i = 0; i < 300; ++i) endless += file.substr(first, end - first);
    EXPECT_EQ(read_with_ours(endless + "\xff\xd9", 4).complaint, "too many scans");
}

// Whatever is wrong with a file, reading it ends; and what libjpeg finds nothing wrong with we read alike.
TEST(ReducedJpeg, StandsDamage) {
    std::mt19937 random(3);
    for (const JpegScans scans : every_layout) {
        const std::string file = make_jpeg({.width = 50, .height = 41, .across = 2, .down = 2, .scans = scans});
        for (int round = 0; round < 400; ++round) {
            std::string damaged = file;
            for (std::size_t flips = 1 + random() % 3; flips > 0; --flips) {
                const std::size_t at = random() % damaged.size();
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
            }
            const Read ours = read_with_ours(damaged, 4);
            if (!ours.whole) continue;
            const auto right = reduced_by_definition(damaged, 4);
            if (!right || right->is_damaged) continue;
            ASSERT_LE(difference(ours.pixels, right->pixels).mean_square_root, 1.0) << "round " << round;
        }
    }
}

}  // namespace
}  // namespace tessera::codecs
