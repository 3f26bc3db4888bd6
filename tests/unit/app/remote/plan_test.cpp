#include "app/remote/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace tessera::remote {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<ImageFormat> written{ImageFormat::jpeg, ImageFormat::png, ImageFormat::webp};

class PlanTest : public testing::Test {
  protected:
    fs::path make(const std::string& name) {
        const fs::path path = in() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << "x";
        return path;
    }
    fs::path in() const { return folder_.path() / "in"; }
    fs::path out() const { return folder_.path() / "out"; }
    PlanRequest whole_folder(ResultKind kind = {false, {}, written}) { return {{in()}, out(), false, std::move(kind)}; }

    static std::vector<std::string> targets(const Result<Plan>& plan, const fs::path& below) {
        std::vector<std::string> names;
        for (const Work& work : plan->works)
            names.push_back(work.target() ? work.target()->lexically_relative(below).string() : "?");
        return names;
    }

    test::TemporaryFolder folder_;
};

TEST_F(PlanTest, OneFileBecomesAFile) {
    const auto plan = plan_of({{make("a.jpg")}, out() / "small.webp"});
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->into_folder);
    EXPECT_THAT(targets(plan, out()), ElementsAre("small.webp"));
}

TEST_F(PlanTest, OneFileBecomesOneInAFolderThatIsThereOrEndsWithASlash) {
    const fs::path file = make("a.jpg");
    fs::create_directories(out());
    EXPECT_TRUE(plan_of({{file}, out(), false, {false, {}, written}})->into_folder);
    EXPECT_TRUE(plan_of({{file}, out() / "new" / "", false, {false, {}, written}})->into_folder);
}

TEST_F(PlanTest, AFolderKeepsNamesAndGetsExtensionsByType) {
    for (const char* name : {"b.png", "a.JPG", "c.jpeg", "d.gif", "notes.txt", ".hidden.png", "below/e.png"})
        make(name);
    auto plan = plan_of(whole_folder());
    EXPECT_THAT(targets(plan, out()), ElementsAre("a.JPG", "b.png", "c.jpeg", "?"));
    EXPECT_EQ(plan->not_pictures, 1U);
    plan = plan_of(whole_folder({false, ImageFormat::webp, written}));
    EXPECT_THAT(targets(plan, out()), ElementsAre("a.webp", "b.webp", "c.webp", "d.webp"));
    plan = plan_of(whole_folder({true}));
    EXPECT_THAT(targets(plan, out()), ElementsAre("a.pmtiles", "b.pmtiles", "c.pmtiles", "d.pmtiles"));
}

TEST_F(PlanTest, ARecursiveOneKeepsFoldersAndLeavesItsOwnResultsAlone) {
    make("a.png");
    make("x/y/b.png");
    make("out/a.png");
    PlanRequest request = whole_folder();
    request.output = in() / "out";
    request.recursive = true;
    EXPECT_THAT(targets(plan_of(request), in() / "out"), ElementsAre("a.png", "x/y/b.png"));
}

TEST_F(PlanTest, TwoThatWouldBecomeTheSameAreRefused) {
    make("a.jpg");
    make("a.png");
    EXPECT_TRUE(plan_of(whole_folder())) << "each keeps its format";
    const auto refused = plan_of(whole_folder({false, ImageFormat::webp, written}));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("would become the same file"));
    make("a.heic");
    EXPECT_FALSE(plan_of(whole_folder())) << "only the service knows what a heic becomes";
}

TEST_F(PlanTest, FilesOfDifferentFoldersCanCollide) {
    EXPECT_FALSE(plan_of({{make("x/a.png"), make("y/A.png")}, out(), false, {false, {}, written}}));
}

TEST_F(PlanTest, WhatIsNotThereIsNamed) {
    const auto missing = plan_of({{in() / "none.png", make("a.png")}, out()});
    ASSERT_FALSE(missing);
    EXPECT_TRUE(missing.error().code == ErrorCode::not_found);
    const auto file = plan_of({{make("b.png"), make("a.png")}, make("file")});
    EXPECT_THAT(file.error().message, HasSubstr("need a folder"));
}

TEST(NamesTest, FurtherResultsLieBesideTheFirst) {
    EXPECT_EQ(name_of_further("out/small.webp", "w640", "avif"), "out/small-w640.avif");
    EXPECT_EQ(name_of_further("scan.2024", "w640-2", "webp"), "scan.2024-w640-2.webp");
    EXPECT_EQ(name_of_further("small.JPG", "h90", ""), "small-h90");
}

TEST(NamesTest, ANameThatTellsOfAnotherFormatIsWrong) {
    EXPECT_THAT(wrong_name("out/small.png", "jpg").value_or(""), HasSubstr("name it small.jpg, or convert it"));
    EXPECT_FALSE(wrong_name("small.JPEG", "jpg"));
    EXPECT_FALSE(wrong_name("small.heic", "heif"));
    EXPECT_FALSE(wrong_name("scan.2024", "jpg"));
    EXPECT_FALSE(wrong_name("small.png", ""));
}

TEST(NamesTest, ExtensionsFollowTheResult) {
    EXPECT_EQ(with_extension("photo.jpeg", "jpg"), "photo.jpeg");
    EXPECT_EQ(with_extension("photo.JPG", "webp"), "photo.webp");
    EXPECT_EQ(with_extension("scan.2024", "webp"), "scan.2024.webp");
    EXPECT_EQ(with_extension("photo.jpg", ""), "photo.jpg");
    EXPECT_EQ(extension_for("image/jpeg"), "jpg");
    EXPECT_EQ(extension_for("application/vnd.pmtiles"), "pmtiles");
    EXPECT_EQ(extension_for("text/html"), "");
}

}  // namespace
}  // namespace tessera::remote
