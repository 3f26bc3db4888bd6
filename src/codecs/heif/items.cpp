#include "codecs/heif/items.hpp"

#include <cmath>
#include <vector>

#include "codecs/heif/boxes.hpp"

namespace tessera::codecs {
namespace {

struct ItemTables {
    FileBytes primary;
    FileBytes kinds;
    FileBytes references;
    FileBytes properties;
};

ItemTables find_tables(FileBytes file) {
    ItemTables tables;
    for_each_box(file, [&](std::string_view type, FileBytes body) {
        if (type != "meta" || body.size() < 4) return;
        for_each_box(body.subspan(4), [&](std::string_view inner, FileBytes inner_body) {
            if (inner == "pitm") tables.primary = inner_body;
            if (inner == "iinf") tables.kinds = inner_body;
            if (inner == "iref") tables.references = inner_body;
            if (inner == "iprp") tables.properties = inner_body;
        });
    });
    return tables;
}

std::uint64_t primary_item(FileBytes pitm) {
    BoxReader reader(pitm);
    const std::uint64_t version = reader.number(1);
    reader.number(3);
    return reader.number(version == 0 ? 2 : 4);
}

std::string_view kind_of(FileBytes iinf, std::uint64_t item) {
    std::string_view found;
    for_each_item(iinf, [&](std::uint64_t id, std::string_view kind) {
        if (id == item) found = kind;
    });
    return found;
}

// The first of those that a grid, an overlay or a copy is made from.
std::uint64_t first_piece(FileBytes iref, std::uint64_t item) {
    std::uint64_t piece = item;
    BoxReader reader(iref);
    const std::size_t width = reader.number(1) == 0 ? 2 : 4;
    reader.number(3);
    for_each_box(reader.rest(), [&](std::string_view type, FileBytes body) {
        if (type != "dimg") return;
        BoxReader entry(body);
        if (entry.number(width) == item && entry.number(2) > 0) piece = entry.number(width);
    });
    return piece;
}

struct Property {
    std::string_view kind;
    FileBytes body;
};

// Those of one item, in their order.
std::vector<Property> properties_of(FileBytes iprp, std::uint64_t item) {
    std::vector<Property> all;
    std::vector<Property> found;
    for_each_box(iprp, [&](std::string_view type, FileBytes body) {
        if (type == "ipco") {
            for_each_box(body, [&](std::string_view kind, FileBytes value) { all.push_back({kind, value}); });
        }
        if (type != "ipma") return;
        BoxReader reader(body);
        const std::size_t id_width = reader.number(1) == 0 ? 2 : 4;
        const std::size_t index_width = (reader.number(3) & 1) == 0 ? 1 : 2;
        const std::uint64_t entries = reader.number(4);
        for (std::uint64_t entry = 0; entry < entries && !reader.failed(); ++entry) {
            const bool wanted = reader.number(id_width) == item;
            for (std::uint64_t left = reader.number(1); left > 0 && !reader.failed(); --left) {
                const std::uint64_t index = reader.number(index_width) & (index_width == 1 ? 0x7F : 0x7FFF);
                if (wanted && index > 0 && index <= all.size()) found.push_back(all[index - 1]);
            }
        }
    });
    return found;
}

// The middle of what is kept is away from the middle of the picture by a fraction.
std::optional<HeifTurns::Crop> crop_of(FileBytes clap, int width, int height) {
    BoxReader reader(clap);
    const auto fraction = [&]() -> double {
        const auto above = static_cast<std::int32_t>(reader.number(4));
        const auto below = static_cast<std::int32_t>(reader.number(4));
        return below == 0 ? 0.0 : static_cast<double>(above) / below;
    };
    const double kept_width = fraction();
    const double kept_height = fraction();
    const double across = fraction();
    const double down = fraction();
    HeifTurns::Crop crop;
    crop.left = static_cast<int>(std::lround(across + (width - kept_width) / 2));
    crop.top = static_cast<int>(std::lround(down + (height - kept_height) / 2));
    crop.width = static_cast<int>(std::lround(kept_width));
    crop.height = static_cast<int>(std::lround(kept_height));
    const bool inside = crop.left >= 0 && crop.top >= 0 && crop.width > 0 && crop.height > 0 &&
                        crop.width <= width - crop.left && crop.height <= height - crop.top;
    return inside && !reader.failed() ? std::optional(crop) : std::nullopt;
}

}  // namespace

std::optional<HeifTurns> primary_item_turns(FileBytes file, int width, int height) {
    // By quarter turns against the clock: not mirrored, top and bottom exchanged, left and right.
    constexpr int orientations[3][4] = {{1, 8, 3, 6}, {4, 5, 2, 7}, {2, 7, 4, 5}};
    enum class Step { none, cropped, rotated, mirrored };
    const ItemTables tables = find_tables(file);
    HeifTurns turns;
    std::size_t quarters = 0;
    Step done = Step::none;
    const auto goes_on = [&](Step step) { return done < step ? (done = step, true) : false; };
    for (const auto& [kind, body] : properties_of(tables.properties, primary_item(tables.primary))) {
        if (kind == "clap") {
            turns.crop = crop_of(body, width, height);
            if (!turns.crop || !goes_on(Step::cropped)) return std::nullopt;
        } else if (kind == "irot") {
            if (body.empty() || !goes_on(Step::rotated)) return std::nullopt;
            quarters = body[0] & 3;
            turns.orientation = orientations[0][quarters];
        } else if (kind == "imir") {
            if (body.empty() || !goes_on(Step::mirrored)) return std::nullopt;
            turns.orientation = orientations[1 + (body[0] & 1)][quarters];
            turns.mirrored = true;
        }
    }
    return turns;
}

bool primary_item_is_av1(FileBytes file) {
    const ItemTables tables = find_tables(file);
    const std::uint64_t item = primary_item(tables.primary);
    const std::string_view kind = kind_of(tables.kinds, item);
    const bool derived = kind == "grid" || kind == "iovl" || kind == "iden";
    return (derived ? kind_of(tables.kinds, first_piece(tables.references, item)) : kind) == "av01";
}

}  // namespace tessera::codecs
