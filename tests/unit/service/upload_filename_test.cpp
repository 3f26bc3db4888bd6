#include <gtest/gtest.h>

#include "service/uploads/upload.hpp"

namespace tessera::service {

TEST(SafeFilename, KeepsAnOrdinaryName) {
    EXPECT_EQ(safe_filename("picture.png"), "picture.png");
    EXPECT_EQ(safe_filename("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80.png"),
              "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80.png");
    EXPECT_EQ(safe_filename("a\"b<c>.png"), "a\"b<c>.png");
    EXPECT_EQ(safe_filename(".profile.png"), ".profile.png");
}

TEST(SafeFilename, DropsFolders) {
    EXPECT_EQ(safe_filename("/etc/passwd"), "passwd");
    EXPECT_EQ(safe_filename("../../x.png"), "x.png");
    EXPECT_EQ(safe_filename("C:\\Users\\me\\x.png"), "x.png");
    EXPECT_EQ(safe_filename("a/b\\c/d.png"), "d.png");
}

TEST(SafeFilename, DropsControlAndDirectionCharacters) {
    EXPECT_EQ(safe_filename(std::string_view("a\0b\r\n\t\x1b\x7f.png", 12)), "ab.png");
    EXPECT_EQ(safe_filename("a\xc2\x85z.png"), "az.png");
    EXPECT_EQ(safe_filename("gpj.\xe2\x80\xae"
                            "exe"),
              "gpj.exe");
    EXPECT_EQ(safe_filename("\xef\xbb\xbfx\xe2\x80\x8b.png"), "x.png");
}

TEST(SafeFilename, IsAlwaysUtf8) {
    EXPECT_EQ(safe_filename("caf\xe9.png"), "caf\xef\xbf\xbd.png");
    EXPECT_EQ(safe_filename("\xc0\xaf.png"), "\xef\xbf\xbd\xef\xbf\xbd.png") << "overlong";
    EXPECT_EQ(safe_filename("\xed\xa0\x80"), "\xef\xbf\xbd") << "surrogate";
    EXPECT_EQ(safe_filename("a\xf0\x9f\x98"), "a\xef\xbf\xbd") << "cut short";
    EXPECT_EQ(safe_filename("\xf4\x90\x80\x80"), "\xef\xbf\xbd") << "beyond the last code point";
}

TEST(SafeFilename, NothingLeftIsCalledUpload) {
    for (const std::string_view name : {"", " ", ".", "..", "...", "a/", "a\\", "\r\n", "../.."})
        EXPECT_EQ(safe_filename(name), "upload") << name;
    EXPECT_EQ(safe_filename("  x.png  "), "x.png");
}

TEST(SafeFilename, IsCutWithinItsLengthButKeepsItsExtension) {
    const std::string cut = safe_filename(std::string(1000, 'n') + ".jpeg");
    EXPECT_EQ(cut.size(), 255U);
    EXPECT_TRUE(cut.ends_with("n.jpeg"));
    std::string wide;
    for (int i = 0; i < 5000; ++i) wide += "\xe2\x82\xac";
    const std::string whole_characters = safe_filename(wide);
    EXPECT_LE(whole_characters.size(), 255U);
    EXPECT_EQ(whole_characters.size() % 3, 0U);
    EXPECT_EQ(safe_filename(std::string(300, 'a') + "." + std::string(300, 'b')).size(), 255U);
}

}  // namespace tessera::service
