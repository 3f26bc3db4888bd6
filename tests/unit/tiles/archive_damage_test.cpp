// A damaged archive gives an error or the right bytes, never wrong ones: every byte of one is flipped in turn.
#include <gtest/gtest.h>

#include "core/file.hpp"
#include "support/temporary_folder.hpp"
#include "tiles/archive/archive.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::tiles {
namespace {

// An archive in memory: `tiles` tiles, most of them different.
Bytes make_archive(std::uint64_t tiles) {
    test::TemporaryFolder folder;
    ArchiveInfo info;
    info.geometry.format = ImageFormat::png;
    info.geometry.width = info.geometry.height = 256 << 8;
    info.geometry.max_zoom = 8;
    ArchiveWriter writer(info, folder.path());
    for (std::uint64_t id = 0; id < tiles; ++id) {
        const std::string text = "tile " + std::to_string(id * 7919 % 9973 / 2);
        const auto content = writer.add_content({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        writer.add_tile(*TileCoord::from_id(id), *content);
    }
    EXPECT_TRUE(writer.finish(folder / "a").ok());
    const auto file = read_whole_file(folder / "a", 100 << 20);
    return {file->begin(), file->end()};
}

Result<std::shared_ptr<const Archive>> open_bytes(const Bytes& file, std::uint64_t claimed_size) {
    return Archive::open(
        [&file](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
            if (offset > file.size() || out.size() > file.size() - offset) return storage_unavailable("past the end");
            std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
            return {};
        },
        claimed_size);
}

std::vector<Bytes> all_tiles(const Bytes& file, std::uint64_t tiles) {
    const auto archive = open_bytes(file, file.size());
    std::vector<Bytes> read;
    for (std::uint64_t id = 0; id < tiles; ++id) read.push_back(**(*archive)->read_tile(*TileCoord::from_id(id)));
    return read;
}

void expect_no_wrong_bytes(const Bytes& file, std::uint64_t size, const std::vector<Bytes>& truth, std::size_t step) {
    const auto archive = open_bytes(file, size);
    if (!archive) return;
    for (std::size_t id = 0; id < truth.size(); id += step) {
        const auto tile = (*archive)->read_tile(*TileCoord::from_id(id));
        if (tile) {
            ASSERT_TRUE(*tile && **tile == truth[id]) << "tile " << id;
        }
    }
}

TEST(DamagedArchive, NoFlippedByteGivesWrongTiles) {
    constexpr std::uint64_t tiles = 60;
    Bytes file = make_archive(tiles);
    const auto truth = all_tiles(file, tiles);
    for (std::size_t at = 0; at < file.size(); ++at) {
        for (const std::uint8_t flip : {std::uint8_t{0x01}, std::uint8_t{0x80}, std::uint8_t{0xff}}) {
            file[at] ^= flip;
            expect_no_wrong_bytes(file, file.size(), truth, 1);
            ASSERT_FALSE(HasFatalFailure()) << "byte " << at << " flipped by " << int{flip};
            file[at] ^= flip;
        }
    }
}

TEST(DamagedArchive, NoFlippedByteInLeafDirectoriesGivesWrongTiles) {
    constexpr std::uint64_t tiles = 20000;
    Bytes file = make_archive(tiles);
    const auto truth = all_tiles(file, tiles);
    for (std::size_t at = 0; at < file.size(); at += 211) {
        file[at] ^= 0x04;
        expect_no_wrong_bytes(file, file.size(), truth, 997);
        ASSERT_FALSE(HasFatalFailure()) << "byte " << at;
        file[at] ^= 0x04;
    }
}

TEST(DamagedArchive, NoTruncationOpens) {
    const Bytes file = make_archive(60);
    for (std::size_t size = 0; size < file.size(); ++size) {
        const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(open_bytes(cut, cut.size()).ok()) << size;
    }
}

TEST(DamagedArchive, AFileThatShrankUnderItsReaderGivesErrors) {
    const Bytes file = make_archive(60);
    const auto truth = all_tiles(file, 60);
    for (std::size_t size = 0; size < file.size(); size += 13) {
        const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        expect_no_wrong_bytes(cut, file.size(), truth, 1);
    }
}

}  // namespace
}  // namespace tessera::tiles
