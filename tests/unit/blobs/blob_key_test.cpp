#include "blobs/blob_key.hpp"

#include <gtest/gtest.h>

namespace tessera::blobs {

TEST(BlobKey, TakesAnAreaAndAName) {
    const auto key = BlobKey::parse("assets/0b1c-x/ab.cd_ef");
    ASSERT_TRUE(key);
    EXPECT_EQ(key->text(), "assets/0b1c-x/ab.cd_ef");
    EXPECT_EQ(key->area(), "assets");
    EXPECT_EQ(key->name(), "0b1c-x/ab.cd_ef");
}

TEST(BlobKey, RefusesWhatCouldLeaveItsFolderOrConfuseABackend) {
    for (const std::string_view text :
         {"",       "a",      "/",          "/a/b",      "a/",    "a//b",  "a/b/",   "../a",
          "a/..",   "a/../b", "a/./b",      "a/.hidden", ".a/b",  "a/b c", "a\\b/c", "a/b+c",
          "a/b%2e", "a/b\n",  "a/\xc3\xa9", "a/b?x",     "a/b#x", "~/b",   "a/b:c"})
        EXPECT_FALSE(BlobKey::parse(text)) << text;
    EXPECT_FALSE(BlobKey::parse(std::string_view("a/b\0c", 5)));
    EXPECT_TRUE(BlobKey::parse("a/" + std::string(BlobKey::max_length - 2, 'x')));
    EXPECT_FALSE(BlobKey::parse("a/" + std::string(BlobKey::max_length - 1, 'x')));
}

TEST(BlobKey, TheKeysOfTheServiceAreWhatTheDocumentationSays) {
    const auto id = *Uuid::parse("0190b0a0-0000-7000-8000-000000000001");
    const std::string text = id.to_string();
    EXPECT_EQ(asset_key(id, std::string(64, 'a'))->text(), "assets/" + text + "/" + std::string(64, 'a'));
    EXPECT_EQ(artifact_key(id, id, 2, "primary.webp")->text(), "artifacts/" + text + "/" + text + "/2/primary.webp");
    EXPECT_EQ(tileset_key(id, id, id, 1)->text(), "tilesets/" + text + "/" + text + "/" + text + "-1.pmtiles");
    EXPECT_FALSE(asset_key(id, "../../etc"));
    EXPECT_FALSE(artifact_key(id, id, 1, "a/../b"));
}

}  // namespace tessera::blobs
