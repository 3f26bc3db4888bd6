// What an engine says of its results is held against the files and against what the operation makes.
#include "operations/inspection.hpp"

#include <gmock/gmock.h>

#include <map>

#include "core/header_size.hpp"
#include "support/images.hpp"

namespace tessera::operations {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;

constexpr ImageFormat written[] = {ImageFormat::jpeg, ImageFormat::png, ImageFormat::webp, ImageFormat::avif,
                                   ImageFormat::jxl};

TEST(HeaderSizes, AreThoseOfThePicture) {
    for (const ImageFormat format : all_image_formats) {
        for (const auto& [width, height] : {std::pair{64, 48}, {300, 211}, {1030, 7}, {256, 256}, {8, 520}}) {
            const std::string bytes = test::make_image({.format = format, .width = width, .height = height});
            const UniqueFd file = test::file_with(bytes);
            EXPECT_THAT(header_sizes(file.get(), bytes.size(), format), Contains(HeaderSize{width, height}))
                << to_string(format);
        }
    }
}

TEST(HeaderSizes, AreFoundBehindLongMetadata) {
    std::string bytes = test::make_image({.format = ImageFormat::jpeg});
    std::string segment("\xff\xe1\xff\xf0", 4);
    segment.resize(2 + 0xfff0);
    bytes.insert(2, segment + segment);
    const UniqueFd file = test::file_with(bytes);
    EXPECT_THAT(header_sizes(file.get(), bytes.size(), ImageFormat::jpeg), Contains(HeaderSize{64, 48}));
}

TEST(HeaderSizes, OfWhatIsCutShortAreNone) {
    for (const ImageFormat format : all_image_formats) {
        const std::string bytes = test::make_image({.format = format});
        for (std::size_t size = 0; size < 24 && size < bytes.size(); ++size) {
            const UniqueFd file = test::file_with(bytes.substr(0, size));
            for (const HeaderSize& found : header_sizes(file.get(), size, format)) {
                EXPECT_EQ(found, (HeaderSize{64, 48})) << to_string(format) << " " << size;
            }
        }
    }
}

class Inspection : public testing::Test {
  protected:
    Inspection() {
        plan_.picture = PlannedPicture{{ImageFormat::webp}, 64, 48};
        request_.operation = "resize";
        request_.images.push_back({Uuid::random(), ImageInfo{ImageFormat::jpeg, 640, 480, 1, false, 8, "srgb"}, 5000});
        claimed_.artifacts.push_back({"out", "primary", "image/webp", "webp", 64, 48, {{"quality", 80}}});
        make("out", test::make_image({.format = ImageFormat::webp}));
    }
    void make(const std::string& name, const std::string& bytes) {
        files_[name] = {test::file_with(bytes), std::ssize(bytes)};
    }
    Result<Manifest, JobError> inspected() {
        return inspect(plan_, request_, claimed_, [&](const std::string& name) -> Result<FileMade, JobError> {
            const auto found = files_.find(name);
            if (found == files_.end()) return misbehaved("no output " + name);
            return FileMade{found->second.first.get(), found->second.second};
        });
    }
    void expect_refused(const char* why) {
        const auto manifest = inspected();
        ASSERT_FALSE(manifest.ok()) << why;
        EXPECT_EQ(manifest.error().code, JobErrorCode::internal_error);
        EXPECT_THAT(manifest.error().detail, HasSubstr(why));
    }
    ProductPlan plan_;
    RunRequest request_;
    Manifest claimed_;
    std::map<std::string, std::pair<UniqueFd, std::int64_t>> files_;
};

TEST_F(Inspection, TellsTypesAndSizesFromThePlan) {
    OutputFile& claimed = claimed_.artifacts.front();
    claimed.kind = "secondary\r\n";
    claimed.content_type = "text/html\r\nSet-Cookie: a=b";
    claimed.extension = "html";
    claimed.width = claimed.height = -5;
    claimed.metadata["bytes_saved"] = 1'000'000'000;
    claimed.metadata["format"] = "html";
    const auto manifest = inspected();
    ASSERT_TRUE(manifest.ok()) << manifest.error().detail;
    ASSERT_EQ(manifest->artifacts.size(), 1U);
    const OutputFile& file = manifest->artifacts.front();
    EXPECT_EQ(file.kind, "primary");
    EXPECT_EQ(file.content_type, "image/webp");
    EXPECT_EQ(file.extension, "webp");
    EXPECT_EQ(file.width, 64);
    EXPECT_EQ(file.height, 48);
    EXPECT_EQ(file.metadata.at("format"), "webp");
    EXPECT_EQ(file.metadata.at("quality"), 80);
    EXPECT_EQ(file.metadata.at("bytes_saved"), 5000 - files_["out"].second);
    EXPECT_EQ(file.metadata.at("source_width"), 640);
}

TEST_F(Inspection, KnowsNothingOfTheSourceWhereThereIsNone) {
    request_.images.clear();
    const auto manifest = inspected();
    ASSERT_TRUE(manifest) << manifest.error().detail;
    EXPECT_EQ(manifest->artifacts.at(0).metadata, (json::object{{"quality", 80}}));
}

TEST_F(Inspection, KnowsEveryFormatThatIsWritten) {
    for (const ImageFormat format : written) {
        plan_.picture->formats = {format};
        make("out", test::make_image({.format = format}));
        const auto manifest = inspected();
        ASSERT_TRUE(manifest.ok()) << to_string(format) << ": " << manifest.error().detail;
        EXPECT_EQ(manifest->artifacts.front().content_type, media_type(format));
    }
}

TEST_F(Inspection, TakesNoOtherPicture) {
    make("out", test::make_image({.format = ImageFormat::png}));
    expect_refused("another format");
    make("out", "<html>");
    expect_refused("another format");
    make("out", "");
    expect_refused("another format");
    make("out", test::make_image({.format = ImageFormat::webp, .width = 63}));
    expect_refused("another size");
    make("out", test::make_image({.format = ImageFormat::webp, .width = 48, .height = 64}));
    expect_refused("another size");
    plan_.picture->may_lie_turned = true;
    EXPECT_TRUE(inspected().ok());
}

TEST_F(Inspection, TakesAsManyResultsAsPlanned) {
    claimed_.artifacts.push_back(claimed_.artifacts.front());
    expect_refused("another number of results");
    claimed_.artifacts.clear();
    expect_refused("another number of results");
    claimed_.artifacts.push_back({"out", "primary", "", "", 0, 0, {}});
    claimed_.tileset = TilesetOutput{"out", false, {}, 1, {}};
    expect_refused("another number of results");
    plan_.tileset = PlannedTileset{};
    expect_refused("mixed up results");
    claimed_.tileset.reset();
    expect_refused("another number of results");
}

TEST_F(Inspection, TakesPlainMetadataAlone) {
    json::object& metadata = claimed_.artifacts.front().metadata;
    for (const json::value& value :
         {json::value(json::array{json::array{1}}), json::value(json::object{{"a", json::object{}}}),
          json::value(json::object{{"A", 1}}), json::value(json::array{1, 2, 3, 4, 5, 6, 7, 8, 9}),
          json::value(nullptr), json::value(std::string(65, 'a')), json::value("line\r\nbreak"), json::value("\x7f")}) {
        metadata["note"] = value;
        expect_refused("metadata that is not plain");
    }
    metadata["note"] = json::array{"#112233", 2};
    EXPECT_TRUE(inspected().ok()) << "lists and groups of plain values are plain";
    metadata["note"] = json::object{{"a", 1}};
    EXPECT_TRUE(inspected().ok());
    metadata.erase("note");
    for (const char* name : {"", "Name", "a b", "a.b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
        metadata[name] = 1;
        expect_refused("metadata that is not plain");
        metadata.erase(name);
    }
    for (char c = 'a'; c <= 'z'; ++c) metadata[std::string(2, c)] = true;
    EXPECT_TRUE(inspected().ok());
    for (char c = 'a'; c <= 'z'; ++c) metadata[std::string(3, c)] = true;
    expect_refused("too many entries");
}

TEST_F(Inspection, OpensNoFileThatIsNoArchive) {
    plan_.picture.reset();
    plan_.tileset = PlannedTileset{{ImageFormat::png, 256, 256, 256, 0, 0}, std::nullopt, {}};
    claimed_.tileset = TilesetOutput{"out", false, {}, 1, {}};
    expect_refused("tile archive is damaged");
}

}  // namespace
}  // namespace tessera::operations
