#include "app/backup/blob_list.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string digest(64, 'a');

std::filesystem::path list_of(const std::filesystem::path& file, const std::vector<std::string>& keys) {
    BlobListWriter list(file);
    for (const std::string& key : keys) list.add({key, 7, digest});
    EXPECT_TRUE(list.finish().ok());
    return file;
}

TEST(BlobListTest, ReadsWhatWasWritten) {
    const test::TemporaryFolder scratch;
    BlobListWriter writer(scratch.path() / "list");
    writer.add({"assets/1 with blanks", 12, digest});
    writer.add({"assets/2", 0, ""});
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "list")) << "it is whole when it has its name";
    ASSERT_TRUE(writer.finish().ok());
    BlobListReader reader(scratch.path() / "list");
    const auto first = reader.next();
    ASSERT_TRUE(first.ok() && *first);
    EXPECT_EQ((*first)->key, "assets/1 with blanks");
    EXPECT_EQ((*first)->size, 12U);
    EXPECT_EQ((*first)->sha256, digest);
    EXPECT_EQ((*reader.next())->sha256, "");
    EXPECT_FALSE(*reader.next());
}

TEST(BlobListTest, ADamagedListIsNoShorterList) {
    const test::TemporaryFolder scratch;
    const std::string good = digest + " 7 assets/1\n";
    for (const std::string& text :
         {good + digest + " 7 assets/2", good + "x 7 assets/2\n", good + digest + " seven assets/2\n",
          good + digest + " 7 \n", good + digest + "\n", good + digest + " 7 assets/0\n", good + good}) {
        BlobListReader reader(scratch.write("list", text));
        ASSERT_TRUE(reader.next().ok());
        const auto second = reader.next();
        ASSERT_FALSE(second.ok()) << text;
        EXPECT_THAT(second.error().message, HasSubstr("damaged"));
    }
    EXPECT_FALSE(BlobListReader(scratch.path() / "none").next().ok());
}

TEST(BlobListTest, ManyListsAreReadAsOneAndEachKeyComesOnce) {
    const test::TemporaryFolder scratch;
    const std::vector<std::filesystem::path> lists{list_of(scratch.path() / "a", {"1", "3", "5"}),
                                                   list_of(scratch.path() / "b", {}),
                                                   list_of(scratch.path() / "c", {"2", "3", "6"})};
    std::vector<std::string> found;
    ASSERT_TRUE(each_key_of(lists, [&](const metadata::NamedBlob& blob, const std::vector<std::size_t>& named_by) {
                    std::string text = blob.key + ":";
                    for (const std::size_t number : named_by) text += std::to_string(number);
                    found.push_back(text);
                    return Result<void>();
                }).ok());
    EXPECT_THAT(found, ElementsAre("1:0", "2:2", "3:02", "5:0", "6:2"));
}

}  // namespace
}  // namespace tessera::app
