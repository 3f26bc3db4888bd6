#include "tiles/archive/archive.hpp"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "core/file.hpp"
#include "support/temporary_folder.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::tiles {
namespace {

Bytes bytes_of(const std::string& text) {
    return {text.begin(), text.end()};
}

ArchiveInfo info_for(int max_zoom) {
    ArchiveInfo info;
    info.geometry.format = ImageFormat::png;
    info.geometry.width = info.geometry.height = std::int64_t{256} << max_zoom;
    info.geometry.max_zoom = max_zoom;
    info.options_json = R"({"quality":80})";
    return info;
}

struct Written {
    test::TemporaryFolder folder;
    UniqueFd fd;
    ArchiveSummary summary;
    std::shared_ptr<const Archive> archive;

    void finish(ArchiveWriter& writer) {
        const auto path = folder / "out.pmtiles";
        const auto done = writer.finish(path);
        ASSERT_TRUE(done.ok()) << done.error().detail;
        summary = *done;
        auto opened = open_for_reading(path);
        ASSERT_TRUE(opened.ok());
        fd = std::move(*opened);
        auto read = Archive::open(fd.get());
        ASSERT_TRUE(read.ok()) << read.error().detail;
        archive = *read;
    }
    std::string tile(int zoom, int column, int row) const {
        const auto read = archive->read_tile(*TileCoord::make(zoom, column, row));
        if (!read) return "error: " + read.error().detail;
        return *read ? std::string((*read)->begin(), (*read)->end()) : "none";
    }
};

TEST(Archive, GivesBackTilesThatWereAddedInAnyOrder) {
    Written out;
    ArchiveWriter writer(info_for(2), out.folder.path());
    for (int row = 3; row >= 0; --row) {
        for (int column = 0; column < 3; ++column) {
            const auto content =
                writer.add_content(bytes_of("tile " + std::to_string(column) + "," + std::to_string(row)));
            ASSERT_TRUE(content.ok());
            writer.add_tile(*TileCoord::make(2, column, row), *content);
        }
    }
    out.finish(writer);
    EXPECT_EQ(out.tile(2, 2, 3), "tile 2,3");
    EXPECT_EQ(out.tile(2, 0, 0), "tile 0,0");
    EXPECT_EQ(out.tile(2, 3, 0), "none");
    EXPECT_EQ(out.tile(0, 0, 0), "none");
    EXPECT_EQ(out.tile(3, 0, 0), "none");
    EXPECT_EQ(out.summary.tile_count, 12U);
    EXPECT_EQ(out.summary.byte_size, std::filesystem::file_size(out.folder / "out.pmtiles"));
    ASSERT_TRUE(out.archive->geometry());
    EXPECT_EQ(out.archive->geometry()->width, 1024);
    EXPECT_TRUE(out.archive->header().clustered);
}

TEST(Archive, StoresEqualTilesOnceAndNeighboursAsARun) {
    Written out;
    ArchiveWriter writer(info_for(5), out.folder.path());
    const auto blank = writer.add_content(bytes_of("blank"));
    const auto same = writer.add_content(bytes_of("blank"));
    EXPECT_EQ(*blank, *same);
    for (std::uint64_t id = 0; id < 1365; ++id) writer.add_tile(*TileCoord::from_id(id), *blank);
    out.finish(writer);
    EXPECT_EQ(out.summary.tile_count, 1365U);
    EXPECT_EQ(out.summary.entry_count, 1U);
    EXPECT_EQ(out.summary.content_count, 1U);
    EXPECT_LT(out.summary.byte_size, 1000U);
    EXPECT_EQ(out.tile(5, 31, 31), "blank");
}

TEST(Archive, UsesLeafDirectoriesWhenTheRootWouldBeTooLarge) {
    Written out;
    ArchiveWriter writer(info_for(8), out.folder.path());
    std::map<std::uint64_t, std::string> expected;
    for (std::uint64_t id = 0; id < 60000; id += 1 + id % 3) {
        const std::string text = std::string(id % 90 + 1, 'x') + std::to_string(id * 7919 % 30011);
        const auto content = writer.add_content(bytes_of(text));
        ASSERT_TRUE(content.ok());
        writer.add_tile(*TileCoord::from_id(id), *content);
        expected[id] = text;
    }
    out.finish(writer);
    EXPECT_GT(out.archive->header().leaves.length, 0U);
    EXPECT_LE(out.archive->header().root.end(), pmtiles::root_limit);
    const auto first = *TileCoord::from_id(7);
    EXPECT_FALSE(out.archive->find_is_cached(first));
    ASSERT_TRUE(out.archive->find(first).ok());
    EXPECT_TRUE(out.archive->find_is_cached(first));
    for (std::uint64_t id = 0; id < 60010; ++id) {
        const auto read = out.archive->read_tile(*TileCoord::from_id(id));
        ASSERT_TRUE(read.ok()) << read.error().detail;
        ASSERT_EQ(read->has_value(), expected.contains(id)) << id;
        if (*read) {
            ASSERT_EQ(std::string((*read)->begin(), (*read)->end()), expected[id]);
        }
    }
}

TEST(Archive, IsClusteredSoThatOffsetsOnlyGrowOrReferBack) {
    Written out;
    ArchiveWriter writer(info_for(4), out.folder.path());
    for (int i = 340; i >= 0; --i) {
        const auto content = writer.add_content(bytes_of("content " + std::to_string(i % 200)));
        writer.add_tile(*TileCoord::from_id(static_cast<std::uint64_t>(i)), *content);
    }
    out.finish(writer);
    std::uint64_t end = out.archive->header().tile_data.offset;
    const auto walked = out.archive->for_each([&](const Archive::Run& run) -> Result<void> {
        EXPECT_LE(run.location.offset, end);
        if (run.location.offset == end) end += run.location.length;
        return {};
    });
    EXPECT_TRUE(walked.ok());
}

TEST(Archive, SpoolsLargeContentsToDiskAndKeepsThemIntact) {
    Written out;
    ArchiveWriter writer(info_for(3), out.folder.path());
    const auto content_of = [](int tile) {
        Bytes bytes(700000);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::uint8_t>(i * 31 + static_cast<std::size_t>(tile) * (i >> 8));
        return bytes;
    };
    std::vector<std::thread> threads;
    for (int part = 0; part < 4; ++part) {
        threads.emplace_back([&, part] {
            for (int tile = part; tile < 40; tile += 4) {
                const auto id = writer.add_content(content_of(tile));
                if (id) writer.add_tile(*TileCoord::from_id(static_cast<std::uint64_t>(39 - tile)), *id);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    out.finish(writer);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out.folder.path()), {}), 1) << "no scratch file stays";
    for (int tile = 0; tile < 40; ++tile) {
        const auto read = out.archive->read_tile(*TileCoord::from_id(static_cast<std::uint64_t>(39 - tile)));
        ASSERT_TRUE(read.ok() && *read);
        EXPECT_EQ(**read, content_of(tile));
    }
}

TEST(Archive, RefusesTilesAddedTwiceAndEmptyArchives) {
    test::TemporaryFolder folder;
    ArchiveWriter twice(info_for(1), folder.path());
    const auto content = twice.add_content(bytes_of("a"));
    twice.add_tile(*TileCoord::make(0, 0, 0), *content);
    twice.add_tile(*TileCoord::make(0, 0, 0), *content);
    EXPECT_FALSE(twice.finish(folder / "twice.pmtiles").ok());
    ArchiveWriter empty(info_for(1), folder.path());
    EXPECT_FALSE(empty.finish(folder / "empty.pmtiles").ok());
    EXPECT_FALSE(empty.add_content({}).ok());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Archive, LeafDirectoriesMayBeFirstReadByManyThreadsAtOnce) {
    Written out;
    ArchiveWriter writer(info_for(8), out.folder.path());
    for (std::uint64_t id = 0; id < 40000; ++id) {
        writer.add_tile(*TileCoord::from_id(id),
                        *writer.add_content(bytes_of("t" + std::to_string(id * 7919 % 40009))));
    }
    out.finish(writer);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int part = 0; part < 4; ++part) {
        threads.emplace_back([&] {
            for (std::uint64_t id = 0; id < 40000; id += 97) {
                const auto found = out.archive->find(*TileCoord::from_id(id));
                if (!found || !*found) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tessera::tiles
