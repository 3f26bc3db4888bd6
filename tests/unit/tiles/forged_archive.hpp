// An archive put together by hand, so that it can say anything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tiles/archive/archive.hpp"
#include "tiles/archive/pmtiles.hpp"

namespace tessera::tiles {

struct Forgery {
    TilesetGeometry geometry{ImageFormat::png, 256, 256, 256, 0, 0};
    std::vector<pmtiles::Entry> root{{0, 0, 4, 1}};
    std::vector<std::vector<pmtiles::Entry>> leaves;  // with these, the root points to them
    std::uint64_t data_bytes = 4;                     // of tiles
    std::string further;                              // in the object "tessera", such as R"(,"delta":true)"
    std::optional<pmtiles::Header> counts;            // the three counts of this one, for the right ones

    [[nodiscard]] Bytes build() const {
        pmtiles::Header header;
        std::vector<pmtiles::Entry> pointers = root;
        Bytes leaf_bytes;
        std::uint64_t entries = root.size();
        std::uint64_t tiles = 0;
        std::size_t per_leaf = 0;
        const auto count = [&](const std::vector<pmtiles::Entry>& list) {
            for (const pmtiles::Entry& entry : list) tiles += entry.run_length;
        };
        if (leaves.empty()) {
            count(root);
        } else {
            pointers.clear();
            entries = 0;
            for (const auto& leaf : leaves) {
                const Bytes packed = pmtiles::gzip(pmtiles::encode_directory(leaf), 1);
                pointers.push_back(
                    {leaf.front().tile_id, leaf_bytes.size(), static_cast<std::uint32_t>(packed.size()), 0});
                leaf_bytes.insert(leaf_bytes.end(), packed.begin(), packed.end());
                entries += leaf.size();
                per_leaf = std::max(per_leaf, leaf.size());
                count(leaf);
            }
        }
        const std::string metadata =
            R"({"tessera":{"format":")" + std::string(to_string(geometry.format)) + R"(","tile_size":)" +
            std::to_string(geometry.tile_size) + R"(,"width":)" + std::to_string(geometry.width) + R"(,"height":)" +
            std::to_string(geometry.height) + R"(,"min_zoom":)" + std::to_string(geometry.min_zoom) +
            R"(,"max_zoom":)" + std::to_string(geometry.max_zoom) + R"(,"checksums":{"offset":)" +
            std::to_string(data_bytes) + R"(,"count":)" + std::to_string(entries) + R"(,"per_leaf":)" +
            std::to_string(per_leaf) + "}" + further + "}}";
        const Bytes root_bytes = pmtiles::gzip(pmtiles::encode_directory(pointers), 6);
        const Bytes metadata_bytes =
            pmtiles::gzip({reinterpret_cast<const std::uint8_t*>(metadata.data()), metadata.size()}, 6);
        header.root = {pmtiles::header_size, root_bytes.size()};
        header.metadata = {header.root.end(), metadata_bytes.size()};
        header.leaves = {header.metadata.end(), leaf_bytes.size()};
        header.tile_data = {header.leaves.end(), data_bytes + 4 * entries};
        header.addressed_tiles = counts ? counts->addressed_tiles : tiles;
        header.tile_entries = counts ? counts->tile_entries : entries;
        header.tile_contents = counts ? counts->tile_contents : 1;
        header.clustered = true;
        header.tile_type = further.find("recipes") == std::string::npos ? pmtiles::tile_type_of(geometry.format)
                                                                        : pmtiles::TileType::unknown;
        header.min_zoom = static_cast<std::uint8_t>(geometry.min_zoom);
        header.max_zoom = static_cast<std::uint8_t>(geometry.max_zoom);
        Bytes file = pmtiles::encode_header(header);
        for (const Bytes* part : std::initializer_list<const Bytes*>{&root_bytes, &metadata_bytes, &leaf_bytes})
            file.insert(file.end(), part->begin(), part->end());
        return file;
    }

    // What is not in the file reads as zeros, as in a file with holes: tile data can be as large as one likes.
    [[nodiscard]] Result<std::shared_ptr<const Archive>> open() const {
        Bytes file = build();
        const std::uint64_t size = file.size() + data_bytes + (std::uint64_t{64} << 20);
        return Archive::open(
            [file = std::move(file)](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
                std::ranges::fill(out, 0);
                if (offset >= file.size()) return {};
                const std::size_t have = std::min<std::size_t>(out.size(), file.size() - offset);
                std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), have, out.begin());
                return {};
            },
            size);
    }
};

}  // namespace tessera::tiles
