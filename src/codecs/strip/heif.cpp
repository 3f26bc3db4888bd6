// HEIF and AVIF keep metadata as items whose places a table in the file names, by offset. Taking bytes out would move
// every item, so metadata items are blanked where they lie.
#include <algorithm>

#include "codecs/heif/boxes.hpp"
#include "codecs/strip/formats.hpp"

namespace tessera::codecs {
namespace {

struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool exif = false;
};

struct MetadataItem {
    std::uint64_t id = 0;
    bool exif = false;
};

// By their ids.
std::vector<MetadataItem> metadata_items(FileBytes iinf) {
    std::vector<MetadataItem> items;
    for_each_item(iinf, [&](std::uint64_t id, std::string_view kind) {
        if (kind == "Exif" || kind == "mime") items.push_back({id, kind == "Exif"});
    });
    std::ranges::stable_sort(items, {}, &MetadataItem::id);
    return items;
}

// Nothing where an item's bytes can't be told: they lie in a box of the table itself, have no length of their own, or
// the table ends too early.
std::optional<std::vector<Extent>> extents_of(FileBytes iloc, const std::vector<MetadataItem>& items) {
    std::vector<Extent> extents;
    BoxReader reader(iloc);
    const std::uint64_t version = reader.number(1);
    reader.number(3);
    const std::uint64_t sizes = reader.number(2);
    const std::size_t offset_size = sizes >> 12 & 15;
    const std::size_t length_size = sizes >> 8 & 15;
    const std::size_t base_size = sizes >> 4 & 15;
    const std::size_t index_size = version == 0 ? 0 : sizes & 15;
    const std::size_t extent_size = index_size + offset_size + length_size;
    const std::uint64_t count = reader.number(version < 2 ? 2 : 4);
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
        const std::uint64_t id = reader.number(version < 2 ? 2 : 4);
        const std::uint64_t method = version == 0 ? 0 : reader.number(2) & 15;
        reader.number(2);
        const std::uint64_t base = reader.number(base_size);
        const std::uint64_t pieces = reader.number(2);
        if (extent_size == 0 && pieces > 1) return std::nullopt;  // of which a table of no bytes could name billions
        const auto item = std::ranges::lower_bound(items, id, {}, &MetadataItem::id);
        const bool is_metadata = item != items.end() && item->id == id;
        if (is_metadata && method != 0) return std::nullopt;
        for (std::uint64_t piece = 0; piece < pieces && !reader.failed(); ++piece) {
            reader.number(index_size);
            const std::uint64_t offset = base + reader.number(offset_size);
            const std::uint64_t length = reader.number(length_size);
            if (!is_metadata) continue;
            if (length == 0) return std::nullopt;
            extents.push_back({offset, length, item->exif && piece == 0});
        }
    }
    if (reader.failed() && !items.empty()) return std::nullopt;
    return extents;
}

// As long as what was there, and still what a reader expects: an EXIF block with no entries, or white space.
std::string blank(const Extent& extent) {
    using namespace std::string_literals;
    const std::string empty_exif = "\0\0\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"s;
    if (!extent.exif) return std::string(extent.length, ' ');
    std::string bytes = empty_exif;
    bytes.resize(extent.length, '\0');
    return bytes;
}

}  // namespace

std::optional<Pieces> strip_heif(FileBytes file) {
    FileBytes iinf;
    FileBytes iloc;
    std::vector<Extent> data;            // what boxes hold that say nothing of the file's structure, in their order
    std::vector<Extent> of_no_standard;  // where cameras and tools keep what is theirs
    const bool sound = for_each_box(file, [&](std::string_view type, FileBytes body) {
        const Extent whole{static_cast<std::uint64_t>(body.data() - file.data()), body.size()};
        if (type == "mdat" || type == "uuid") data.push_back(whole);
        if (type == "uuid" && !body.empty()) of_no_standard.push_back(whole);
        if (type != "meta" || body.size() < 4) return;
        for_each_box(body.subspan(4), [&](std::string_view inner, FileBytes inner_body) {
            if (inner == "iinf") iinf = inner_body;
            if (inner == "iloc") iloc = inner_body;
        });
    });
    if (!sound) return std::nullopt;
    auto extents = extents_of(iloc, metadata_items(iinf));
    if (!extents) return std::nullopt;
    extents->insert(extents->end(), of_no_standard.begin(), of_no_standard.end());
    std::ranges::sort(*extents, {}, &Extent::offset);
    Pieces pieces;
    std::uint64_t at = 0;
    auto box = data.begin();
    for (const Extent& extent : *extents) {
        if (extent.offset < at || extent.length > file.size() || extent.offset > file.size() - extent.length) {
            return std::nullopt;
        }
        const std::uint64_t end = extent.offset + extent.length;
        while (box != data.end() && box->offset + box->length < end) ++box;
        if (box == data.end() || extent.offset < box->offset) return std::nullopt;
        pieces.keep(file.subspan(at, extent.offset - at));
        pieces.add(blank(extent));
        at = end;
    }
    pieces.keep(file.subspan(at));
    return pieces;
}

}  // namespace tessera::codecs
