#include "codecs/jpeg/recode.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <vips/vips8>

#include "codecs/jpeg/looks_table.hpp"
#include "codecs/jpeg/scan_scripts.hpp"
#include "support/images.hpp"

namespace tessera::codecs {
namespace {

int sum_of(const QuantTable& table) {
    return std::accumulate(table.begin(), table.end(), 0);
}

TEST(LooksTable, GetsFinerWithQuality) {
    for (const Plane plane : {Plane::luma, Plane::blue, Plane::red}) {
        for (const bool halved : {false, true}) {
            QuantTable before = looks_table(plane, halved, 1);
            for (double quality = 1.5; quality <= 100; quality += 0.5) {
                const QuantTable table = looks_table(plane, halved, quality);
                for (std::size_t i = 0; i < table.size(); ++i) {
                    EXPECT_GE(table[i], 1);
                    EXPECT_LE(table[i], before[i]) << "at " << i << " of quality " << quality;
                }
                before = table;
            }
            EXPECT_LE(before[0], 1);  // quality 100 loses next to nothing
        }
    }
}

TEST(LooksTable, SpendsLessOnHighFrequencies) {
    for (const Plane plane : {Plane::luma, Plane::blue, Plane::red}) {
        const QuantTable table = looks_table(plane, true, 60);
        EXPECT_GT(table[63], 2 * table[1]);
        EXPECT_GT(table[9], table[1] - 1);
    }
    // Whole colour is coarser than what is left of it at half resolution.
    EXPECT_GT(sum_of(looks_table(Plane::blue, false, 80)), sum_of(looks_table(Plane::blue, true, 80)));
    EXPECT_GT(sum_of(looks_table(Plane::red, false, 80)), sum_of(looks_table(Plane::red, true, 80)));
}

// Every bit of every coefficient, once and in the order of the standard.
TEST(ScanScripts, SendEverythingOnce) {
    constexpr int not_sent = 99;
    for (const int components : {1, 3}) {
        ASSERT_GE(scan_scripts(components).size(), 2U);
        for (const ScanScript& script : scan_scripts(components)) {
            std::array<std::array<int, block_size>, 3> low_bit{};
            for (auto& one : low_bit) one.fill(not_sent);
            for (const jpeg_scan_info& scan : script) {
                for (int i = 0; i < scan.comps_in_scan; ++i) {
                    auto& bits = low_bit.at(static_cast<std::size_t>(scan.component_index[i]));
                    for (int k = scan.Ss; k <= scan.Se; ++k) {
                        int& bit = bits.at(static_cast<std::size_t>(k));
                        EXPECT_EQ(scan.Ah, bit == not_sent ? 0 : bit);
                        EXPECT_TRUE(bit == not_sent || scan.Al == bit - 1);
                        bit = scan.Al;
                    }
                }
            }
            for (int component = 0; component < components; ++component) {
                for (const int bit : low_bit.at(static_cast<std::size_t>(component))) EXPECT_EQ(bit, 0);
            }
        }
    }
    EXPECT_TRUE(scan_scripts(4).empty());
}

std::string recoded(const std::string& file, std::optional<int> quality) {
    JpegRecoding recoding;
    recoding.quality = quality;
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
    return recode_jpeg(bytes, recoding).value_or("");
}

// Between pixels, squared: 0 where all are equal.
double difference(const std::string& one, const std::string& other) {
    const auto pixels = [](const std::string& file) {
        return vips::VImage::new_from_buffer(file.data(), file.size(), "").copy_memory();
    };
    return (pixels(one) - pixels(other)).pow(2.0).avg();
}

TEST(RecodeJpeg, LosesNothingWithoutAQualityAndMoreWithALowerOne) {
    for (const int bands : {1, 3}) {
        const std::string file =
            test::make_image({.format = ImageFormat::jpeg, .width = 203, .height = 151, .bands = bands});
        const std::string same = recoded(file, std::nullopt);
        EXPECT_LT(same.size(), file.size());
        EXPECT_EQ(difference(file, same), 0);
        const std::string fine = recoded(file, 60);
        const std::string coarse = recoded(file, 30);
        EXPECT_LT(fine.size(), same.size());
        EXPECT_LT(coarse.size(), fine.size());
        EXPECT_LT(difference(file, fine), difference(file, coarse));
    }
}

}  // namespace
}  // namespace tessera::codecs
