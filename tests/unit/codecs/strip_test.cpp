#include "codecs/strip/strip.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera::codecs {
namespace {

std::string big_endian(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(value >> 8 * i));
    return out;
}

std::string box(const std::string& type, const std::string& body) {
    return big_endian(8 + body.size(), 4) + type + body;
}

// One that places an item of EXIF data: what the table says of it, behind its id.
std::string heif_with_exif(int version, int sizes, const std::string& place, int entries = 1) {
    const std::string item =
        box("infe", big_endian(2, 1) + big_endian(0, 3) + big_endian(1, 2) + big_endian(0, 2) + "Exif");
    std::string table = big_endian(static_cast<std::uint64_t>(version), 1) + big_endian(0, 3) +
                        big_endian(static_cast<std::uint64_t>(sizes), 2) +
                        big_endian(static_cast<std::uint64_t>(entries), 2);
    for (int i = 0; i < entries; ++i) table += big_endian(1, 2) + place;
    const std::string tables =
        box("iinf", big_endian(0, 4) + big_endian(1, 2) + item) + box("iloc", table) + box("idat", "Secret of a place");
    return box("ftyp", "heic") + box("mdat", "Secret of a place") + box("meta", big_endian(0, 4) + tables);
}

std::optional<std::string> stripped(const std::string& file, ImageFormat format = ImageFormat::heif) {
    const auto pieces = strip(format, {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, 1);
    if (!pieces) return std::nullopt;
    std::string out;
    pieces->write_to([&](std::span<const std::uint8_t> piece) {
        out.append(piece.begin(), piece.end());
        return true;
    });
    return out;
}

constexpr int offsets_and_lengths_of_four = 0x4400;

TEST(StripHeif, BlanksMetadataWhereItLies) {
    const std::string one_extent = big_endian(0, 2) + big_endian(1, 2) + big_endian(12 + 8, 4) + big_endian(17, 4);
    const std::string file = heif_with_exif(0, offsets_and_lengths_of_four, one_extent);
    const auto out = stripped(file);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->size(), file.size());
    EXPECT_EQ(out->find("Secret"), file.rfind("Secret")) << "what no item names is as it was";
}

TEST(StripHeif, SaysWhereMetadataCannotBeTakenOut) {
    // Method 1: in the box `idat`.
    const std::string in_the_table =
        big_endian(1, 2) + big_endian(0, 2) + big_endian(1, 2) + big_endian(0, 4) + big_endian(17, 4);
    EXPECT_FALSE(stripped(heif_with_exif(1, offsets_and_lengths_of_four, in_the_table)));
    const std::string to_the_end = big_endian(0, 2) + big_endian(1, 2) + big_endian(20, 4) + big_endian(0, 4);
    EXPECT_FALSE(stripped(heif_with_exif(0, offsets_and_lengths_of_four, to_the_end)));
    const std::string cut_short = big_endian(0, 2) + big_endian(1, 2) + big_endian(20, 4);
    EXPECT_FALSE(stripped(heif_with_exif(0, offsets_and_lengths_of_four, cut_short)));
}

TEST(StripHeif, BlanksBoxesOfNoStandard) {
    for (const std::string type : {"uuid", "free", "skip", "mpvd"}) {
        const std::string file = box("ftyp", "heic") + box(type, "Sixteen bytes xxSecret") + box("mdat", "pixels");
        EXPECT_EQ(stripped(file), box("ftyp", "heic") + box(type, std::string(22, ' ')) + box("mdat", "pixels"));
    }
}

// Of two tables readers may take either, and of one that does not add up each its own part.
TEST(StripHeif, TablesThatCanBeReadInTwoWays) {
    const std::string one_extent = big_endian(0, 2) + big_endian(1, 2) + big_endian(12 + 8, 4) + big_endian(17, 4);
    const std::string file = heif_with_exif(0, offsets_and_lengths_of_four, one_extent);
    const std::string empty_list = box("iinf", big_endian(0, 4) + big_endian(0, 2));
    EXPECT_FALSE(stripped(file + box("meta", big_endian(0, 4) + empty_list)));
    const std::string broken_list = box("iinf", big_endian(0, 4) + big_endian(1, 2) + big_endian(500, 4) + "infe");
    EXPECT_FALSE(stripped(box("ftyp", "heic") + box("meta", big_endian(0, 4) + broken_list)));
    const std::string no_kind = box("iinf", big_endian(0, 4) + big_endian(1, 2) + box("infe", big_endian(2, 1)));
    EXPECT_FALSE(stripped(box("ftyp", "heic") + box("meta", big_endian(0, 4) + no_kind)));
    EXPECT_FALSE(stripped(box("ftyp", "heic") + box("meta", big_endian(0, 4) + empty_list + empty_list)));
    EXPECT_TRUE(stripped(box("ftyp", "heic") + box("meta", big_endian(0, 4) + empty_list)));
}

TEST(StripHeif, APictureIsNotBlankedWithWhatIsAroundIt) {
    const std::string place_of_two = big_endian(2, 2) + big_endian(0, 2) + big_endian(1, 2);
    const auto file = [&](int offset, int length) {
        const std::string table = big_endian(0, 4) + big_endian(offsets_and_lengths_of_four, 2) + big_endian(1, 2) +
                                  place_of_two + big_endian(static_cast<std::uint64_t>(offset), 4) +
                                  big_endian(static_cast<std::uint64_t>(length), 4);
        return box("ftyp", "heic") + box("free", "Secret") + box("mdat", "pixels") +
               box("meta", big_endian(0, 4) + box("iloc", table));
    };
    constexpr int in_free = 12 + 8;
    constexpr int in_data = in_free + 6 + 8;
    ASSERT_TRUE(stripped(file(in_data, 6)));
    EXPECT_EQ(stripped(file(in_data, 6))->find("Secret"), std::string::npos);
    EXPECT_TRUE(stripped(file(in_data, 0)));
    EXPECT_FALSE(stripped(file(in_free + 5, 1)));
    EXPECT_FALSE(stripped(file(in_free - 4, 5)));
    EXPECT_FALSE(stripped(file(4, 0)));
}

TEST(StripHeif, LeavesTheStructureAlone) {
    const std::string beyond_data = big_endian(0, 2) + big_endian(1, 2) + big_endian(12 + 4, 4) + big_endian(17, 4);
    EXPECT_FALSE(stripped(heif_with_exif(0, offsets_and_lengths_of_four, beyond_data)));
}

// Each would take nothing of the table, and a place in memory.
TEST(StripHeif, ExtentsOfNoBytesAreNotCounted) {
    const std::string many = big_endian(0, 2) + big_endian(0xffff, 2);
    EXPECT_FALSE(stripped(heif_with_exif(0, 0, many, 60'000)));
}

TEST(StripJxl, KeepsWhatThePictureIsMadeOf) {
    const std::string picture = box("JXL ", "\r\n\x87\n") + box("ftyp", "jxl ") + box("jxlc", "codestream");
    const std::string file = picture + box("Exif", "Secret") + box("uuid", "Secret") + box("jbrd", "Secret");
    EXPECT_EQ(stripped(file, ImageFormat::jxl), picture);
}

}  // namespace
}  // namespace tessera::codecs
