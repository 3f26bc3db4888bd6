#include "core/sniff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string ftyp(const std::string& brands) {  // major, then compatible ones
    const auto size = static_cast<char>(8 + 4 + brands.size());
    return "\0\0\0"s + size + "ftyp" + brands.substr(0, 4) + "\0\0\0\0"s + brands.substr(4);
}

struct Known {
    std::string head;
    ImageFormat format;
};

const Known known[] = {
    {"\xff\xd8\xff\xe0", ImageFormat::jpeg},
    {"\x89PNG\r\n\x1a\n", ImageFormat::png},
    {"GIF87a", ImageFormat::gif},
    {"GIF89a", ImageFormat::gif},
    {"RIFF\1\2\3\4WEBPVP8 ", ImageFormat::webp},
    {"RIFF\1\2\3\4WEBPVP8X", ImageFormat::webp},
    {"\xff\x0a", ImageFormat::jxl},
    {"\0\0\0\x0cJXL \r\n\x87\n"s, ImageFormat::jxl},
    {ftyp("avifmif1"), ImageFormat::avif},
    {ftyp("mif1avifmiaf"), ImageFormat::avif},
    {ftyp("mif1miafavif"), ImageFormat::avif},
    {ftyp("heicmif1"), ImageFormat::heif},
    {ftyp("mif1heic"), ImageFormat::heif},
    {ftyp("mif1"), ImageFormat::heif},
};

TEST(Sniff, KnowsEveryFormatFromItsFirstBytesAlone) {
    for (const Known& one : known) {
        const Sniffed sniffed = sniff(bytes_of(one.head), false);
        EXPECT_EQ(sniffed.kind, Sniffed::Kind::image) << to_string(one.format);
        EXPECT_EQ(sniffed.format, one.format);
    }
}

TEST(Sniff, AsksForMoreUntilItCanTellAndNeverChangesItsMind) {
    for (const Known& one : known) {
        const std::string file = one.head + std::string(100, 'x');
        std::optional<ImageFormat> decided;
        for (std::size_t length = 0; length <= file.size(); ++length) {
            const Sniffed sniffed = sniff(bytes_of(file.substr(0, length)), false);
            ASSERT_NE(sniffed.kind, Sniffed::Kind::unsupported) << to_string(one.format) << " at " << length;
            if (length >= sniff_length) {
                ASSERT_EQ(sniffed.kind, Sniffed::Kind::image);
            }
            if (decided) {
                ASSERT_EQ(sniffed.format, decided);
            }
            decided = sniffed.format;
        }
        EXPECT_EQ(decided, one.format);
    }
}

TEST(Sniff, NamesWhatItRefuses) {
    const std::pair<std::string, std::string> refused[] = {
        {"II*\0\x08\0\0\0"s, "a TIFF image"},
        {"MM\0*\0\0\0\x08"s, "a TIFF image"},
        {"%PDF-1.7\n", "a PDF document"},
        {"BM\x36\0\0\0"s, "a BMP image"},
        {"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "an SVG drawing"},
        {"<?xml version=\"1.0\"?>\n<SVG/>", "an SVG drawing"},
        {"\xef\xbb\xbf  <svg/>", "an SVG drawing"},
        {"<!DOCTYPE html><p>", "an HTML page"},
        {"PK\3\4rest", "a ZIP archive"},
        {"RIFF\1\2\3\4AVI LIST", "an AVI video"},
        {ftyp("isommp42"), "an MP4 video or another ISO media file"},
        {"\0\0\0\4ftypavif"s, "a damaged ISO media file"},
        {"", "an empty file"},
        {"hello", "an unknown type of file"},
    };
    for (const auto& [head, what] : refused) {
        const Sniffed sniffed = sniff(bytes_of(head), true);
        EXPECT_EQ(sniffed.kind, Sniffed::Kind::unsupported) << what;
        EXPECT_EQ(sniffed.what, what);
        EXPECT_THAT(unsupported_image(sniffed).message, HasSubstr(what));
    }
}

TEST(Sniff, RefusesEveryPrefixThatEndsTooEarly) {
    for (const Known& one : known) {
        for (std::size_t length = 0; length < 2; ++length) {
            EXPECT_EQ(sniff(bytes_of(one.head.substr(0, length)), true).kind, Sniffed::Kind::unsupported);
        }
    }
}

TEST(Sniff, DecidesOnAnyLongEnoughBytesWhateverTheyAre) {
    std::uint32_t state = 1;
    for (int round = 0; round < 20'000; ++round) {
        std::string head(sniff_length, '\0');
        for (char& c : head) {
            state = state * 1664525U + 1013904223U;
            c = static_cast<char>(state >> 24);
        }
        if (round % 3 == 0) head.replace(4, 4, "ftyp");
        EXPECT_NE(sniff(bytes_of(head), false).kind, Sniffed::Kind::need_more);
    }
}

}  // namespace
}  // namespace tessera
