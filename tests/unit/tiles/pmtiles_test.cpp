#include "tiles/archive/pmtiles.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace tessera::tiles::pmtiles {
namespace {

TEST(PmtilesHeader, SurvivesBeingWrittenAndRead) {
    Header header;
    header.root = {127, 1000};
    header.metadata = {1127, 50};
    header.leaves = {1177, 5000};
    header.tile_data = {6177, std::uint64_t{5} << 33};
    header.addressed_tiles = 7;
    header.tile_entries = 6;
    header.tile_contents = 5;
    header.clustered = true;
    header.tile_type = TileType::webp;
    header.max_zoom = 9;
    header.min_place = {-1800000000, -850511287};
    header.center = {123, -456};
    const auto bytes = encode_header(header);
    ASSERT_EQ(bytes.size(), header_size);
    const auto read = decode_header(bytes, header.tile_data.end());
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(encode_header(*read), bytes);
    EXPECT_EQ(read->min_place.longitude_e7, -1800000000);
    EXPECT_FALSE(decode_header(bytes, header.tile_data.end() - 1).ok()) << "a file that was cut short";
}

TEST(PmtilesHeader, RefusesWhatIsNoArchiveOrAnotherVersion) {
    Header header;
    header.root = {127, 1};
    auto bytes = encode_header(header);
    EXPECT_TRUE(decode_header(bytes, 200).ok());
    bytes[7] = 2;
    EXPECT_FALSE(decode_header(bytes, 200).ok());
    bytes[7] = 3;
    bytes[0] = 'Q';
    EXPECT_FALSE(decode_header(bytes, 200).ok());
    EXPECT_FALSE(decode_header(std::span(bytes).first(126), 200).ok());
}

TEST(PmtilesHeader, RefusesSectionsThatOverflow) {
    Header header;
    header.root = {127, 1};
    header.tile_data = {std::numeric_limits<std::uint64_t>::max() - 3, 10};
    EXPECT_FALSE(decode_header(encode_header(header), 1000).ok());
    header.tile_data = {10, std::numeric_limits<std::uint64_t>::max()};
    EXPECT_FALSE(decode_header(encode_header(header), 1000).ok());
}

TEST(PmtilesDirectory, SurvivesBeingWrittenAndRead) {
    std::mt19937_64 random(1);
    std::vector<Entry> entries;
    std::uint64_t id = 0;
    for (int i = 0; i < 5000; ++i) {
        id += 1 + random() % 50;
        const auto run = static_cast<std::uint32_t>(1 + random() % 3);
        entries.push_back({id, random() % 1000000, static_cast<std::uint32_t>(1 + random() % 100000), run});
        id += run;
        if (i % 3 == 0) {  // contiguous with the one before
            const Entry& last = entries.back();
            entries.push_back({id, last.offset + last.length, 77, 1});
            id += 1;
        }
    }
    const auto read = decode_directory(encode_directory(entries));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, entries);
}

TEST(PmtilesDirectory, RefusesEveryTruncationAndLeftovers) {
    const std::vector<Entry> entries = {{1, 0, 10, 1}, {300, 10, 20000, 5}, {1u << 20, 5, 7, 1}};
    auto bytes = encode_directory(entries);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_FALSE(decode_directory(std::span(bytes).first(length)).ok()) << length;
    }
    bytes.push_back(0);
    EXPECT_FALSE(decode_directory(bytes).ok());
}

TEST(PmtilesDirectory, RefusesEmptyUnorderedAndOverlappingEntries) {
    EXPECT_FALSE(decode_directory(encode_directory({})).ok());
    EXPECT_FALSE(decode_directory(encode_directory(std::vector<Entry>{{1, 0, 0, 1}})).ok()) << "a tile of no bytes";
    EXPECT_FALSE(decode_directory(encode_directory(std::vector<Entry>{{1, 0, 5, 3}, {3, 5, 5, 1}})).ok()) << "overlap";
    EXPECT_FALSE(decode_directory(encode_directory(std::vector<Entry>{{5, 0, 5, 1}, {3, 5, 5, 1}})).ok()) << "order";
}

TEST(PmtilesDirectory, DoesNotBelieveAFalseCount) {
    const Bytes huge = {0xff, 0xff, 0xff, 0xff, 0x7f, 1, 1, 1, 1};
    EXPECT_FALSE(decode_directory(huge).ok());
    const Bytes endless(20, 0xff);
    EXPECT_FALSE(decode_directory(endless).ok());
}

TEST(Gzip, SurvivesAndNoticesDamage) {
    Bytes plain;
    for (int i = 0; i < 10000; ++i) plain.push_back(static_cast<std::uint8_t>(i * i >> 4));
    const auto packed = gzip(plain, 6);
    const auto back = gunzip(packed, 1 << 20);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, plain);
    EXPECT_FALSE(gunzip(packed, 9999).ok()) << "larger than allowed";
    for (std::size_t at = 10; at < packed.size(); at += 7) {
        auto broken = packed;
        broken[at] ^= 0x10;
        EXPECT_FALSE(gunzip(broken, 1 << 20).ok()) << at;
    }
}

}  // namespace
}  // namespace tessera::tiles::pmtiles
