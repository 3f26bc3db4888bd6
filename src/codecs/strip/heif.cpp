// HEIF and AVIF keep metadata as items whose places a table in the file names, by offset. Taking bytes out would move
// every item, so metadata items are blanked where they lie.
#include <algorithm>
#include <array>

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

struct Tables {
    FileBytes items;
    FileBytes places;
};

struct Places {
    std::vector<Extent> metadata;
    std::vector<Extent> pictures;
};

// Of a picture and of a sequence of them. Others hold what cameras and tools keep there: a film, a place, a history.
constexpr std::array<std::string_view, 8> of_the_standard{"ftyp", "meta", "mdat", "moov",
                                                          "moof", "mfra", "styp", "sidx"};

constexpr std::uint64_t to_the_end = ~std::uint64_t{0};

// Nothing where there are two of one kind, of which a reader may take either, or where their lengths do not add up.
std::optional<Tables> find_tables(FileBytes meta) {
    Tables tables;
    bool twice = false;
    const bool sound =
        meta.size() >= 4 && for_each_box(meta.subspan(4), [&](std::string_view type, FileBytes body) {
            FileBytes* table = type == "iinf" ? &tables.items : type == "iloc" ? &tables.places : nullptr;
            if (table == nullptr) return;
            twice = twice || table->data() != nullptr;
            *table = body;
        });
    return sound && !twice ? std::optional(tables) : std::nullopt;
}

// By their ids; nothing where the list does not add up, so that one might be missed.
std::optional<std::vector<MetadataItem>> metadata_items(FileBytes iinf) {
    std::vector<MetadataItem> items;
    const bool sound = for_each_item(iinf, [&](std::uint64_t id, std::string_view kind) {
        if (kind == "Exif" || kind == "mime") items.push_back({id, kind == "Exif"});
    });
    if (!sound) return std::nullopt;
    std::ranges::stable_sort(items, {}, &MetadataItem::id);
    return items;
}

// Where items lie in the file. Nothing where the bytes of metadata can't be told: they lie in a box of the table
// itself, have no length of their own, or the table ends too early.
std::optional<Places> places_of(FileBytes iloc, const std::vector<MetadataItem>& items) {
    Places places;
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
            if (is_metadata) {
                if (length == 0) return std::nullopt;
                places.metadata.push_back({offset, length, item->exif && piece == 0});
            } else if (method == 0) {
                places.pictures.push_back({offset, length == 0 ? to_the_end : length});
            }
        }
    }
    if (reader.failed() && !items.empty()) return std::nullopt;
    return places;
}

// Whether a picture's bytes are among those that would be blanked, which are in order and apart from each other.
bool has_picture_in(const std::vector<Extent>& blanked, const std::vector<Extent>& pictures) {
    return std::ranges::any_of(pictures, [&](const Extent& picture) {
        const auto end_of = [](const Extent& extent) { return extent.offset + extent.length; };
        const auto next = std::ranges::upper_bound(blanked, picture.offset, {}, end_of);
        return next != blanked.end() &&
               (next->offset <= picture.offset || next->offset - picture.offset < picture.length);
    });
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

// Nothing where some of what would be blanked lies over another, or outside of the data.
std::optional<Pieces> with_blanked(FileBytes file, const std::vector<Extent>& blanked,
                                   const std::vector<Extent>& data) {
    Pieces pieces;
    std::uint64_t at = 0;
    auto box = data.begin();
    for (const Extent& extent : blanked) {
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

}  // namespace

std::optional<Pieces> strip_heif(FileBytes file) {
    std::vector<FileBytes> metas;
    std::vector<Extent> data;  // what boxes hold that say nothing of the file's structure, in their order
    std::vector<Extent> of_no_standard;
    const bool sound = for_each_box(file, [&](std::string_view type, FileBytes body) {
        const Extent whole{static_cast<std::uint64_t>(body.data() - file.data()), body.size()};
        const bool is_theirs = std::ranges::find(of_the_standard, type) == of_the_standard.end();
        if (type == "mdat" || is_theirs) data.push_back(whole);
        if (is_theirs && !body.empty()) of_no_standard.push_back(whole);
        if (type == "meta") metas.push_back(body);
    });
    if (!sound || metas.size() > 1) return std::nullopt;
    const auto tables = metas.empty() ? Tables{} : find_tables(metas.front());
    if (!tables) return std::nullopt;
    const auto items = tables->items.empty() ? std::vector<MetadataItem>{} : metadata_items(tables->items);
    if (!items) return std::nullopt;
    auto places = places_of(tables->places, *items);
    if (!places) return std::nullopt;
    auto& blanked = places->metadata;
    blanked.insert(blanked.end(), of_no_standard.begin(), of_no_standard.end());
    std::ranges::sort(blanked, {}, &Extent::offset);
    auto pieces = with_blanked(file, blanked, data);
    return pieces && !has_picture_in(blanked, places->pictures) ? std::move(pieces) : std::nullopt;
}

}  // namespace tessera::codecs
