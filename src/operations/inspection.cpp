#include "operations/inspection.hpp"

#include <algorithm>
#include <array>

#include "core/file.hpp"
#include "core/header_size.hpp"
#include "core/sniff.hpp"
#include "operations/picture_job.hpp"
#include "operations/tile_job.hpp"
#include "tiles/archive/archive.hpp"
#include "tiles/archive/check.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

bool is_plain_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_metadata_name &&
           std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

bool is_plain_value(const json::value& value) {
    if (const json::string* text = value.if_string()) {
        return text->size() <= longest_metadata_text &&
               std::ranges::all_of(*text, [](char c) { return c >= ' ' && c <= '~'; });
    }
    return value.is_bool() || value.is_number();
}

// A list or a group of plain values: one level, and short.
bool is_small_group(const json::value& value) {
    if (const json::array* list = value.if_array()) {
        return list->size() <= most_metadata_items && std::ranges::all_of(*list, is_plain_value);
    }
    const json::object* group = value.if_object();
    return group != nullptr && group->size() <= most_metadata_items &&
           std::ranges::all_of(
               *group, [](const auto& entry) { return is_plain_name(entry.key()) && is_plain_value(entry.value()); });
}

Result<json::object, JobError> checked_metadata(const json::object& claimed) {
    if (claimed.size() > most_metadata_entries) return misbehaved("metadata of too many entries");
    for (const auto& entry : claimed) {
        const bool is_plain = is_plain_value(entry.value()) || is_small_group(entry.value());
        if (!is_plain_name(entry.key()) || !is_plain) return misbehaved("metadata that is not plain");
    }
    return claimed;
}

// What the host knows itself goes over what the engine says.
void overwrite(json::object& metadata, json::object known) {
    for (auto& entry : known) metadata[entry.key()] = std::move(entry.value());
}

std::optional<ImageFormat> format_of(const FileMade& made) {
    std::array<std::uint8_t, sniff_length> head{};
    const auto part =
        std::span(head).first(std::min<std::size_t>(head.size(), static_cast<std::size_t>(made.byte_size)));
    if (!read_exactly_at(made.file, 0, part)) return std::nullopt;
    return sniff(part, true).format;
}

bool is_within(const PlannedPicture::Bounds& bounds, const OutputFile& claimed) {
    return claimed.width > 0 && claimed.height > 0 && std::max(claimed.width, claimed.height) <= bounds.edge &&
           claimed.width * claimed.height <= bounds.pixels;
}

// The size as displayed, where the file has it and the plan allows it.
std::optional<HeaderSize> size_of(const FileMade& made, ImageFormat format, const PlannedPicture& plan,
                                  const OutputFile& claimed) {
    const auto sizes = header_sizes(made.file, static_cast<std::uint64_t>(made.byte_size), format);
    const auto has = [&](const HeaderSize& size) { return std::ranges::find(sizes, size) != sizes.end(); };
    if (plan.any_size_within) {
        const HeaderSize said{claimed.width, claimed.height};
        return is_within(*plan.any_size_within, claimed) && has(said) ? std::optional(said) : std::nullopt;
    }
    const HeaderSize upright{plan.width, plan.height};
    const HeaderSize turned{plan.height, plan.width};
    if (has(upright) || (plan.may_lie_turned && has(turned))) return upright;
    return std::nullopt;
}

// `source` where the picture is made from one.
Result<OutputFile, JobError> inspect_picture(const PlannedPicture& plan, const InputImage* source,
                                             const OutputFile& claimed, const FileMade& made) {
    const auto format = format_of(made);
    if (!format || std::ranges::find(plan.formats, *format) == plan.formats.end()) {
        return misbehaved("a picture of another format");
    }
    const auto size = size_of(made, *format, plan, claimed);
    if (!size) return misbehaved("a picture of another size");
    auto metadata = checked_metadata(claimed.metadata);
    if (!metadata) return std::move(metadata).error();
    OutputFile file;
    file.file = claimed.file;
    file.kind = plan.kind;
    file.content_type = media_type(*format);
    file.extension = file_extension(*format);
    file.width = size->width;
    file.height = size->height;
    file.metadata = std::move(*metadata);
    if (source != nullptr) overwrite(file.metadata, picture_metadata(*source, *format, made.byte_size));
    return file;
}

bool is_named_before(const Manifest& claimed, std::size_t artifact) {
    const auto before = std::span(claimed.artifacts).first(artifact);
    return std::ranges::find(before, claimed.artifacts[artifact].file, &OutputFile::file) != before.end();
}

Result<tiles::ArchiveContents, JobError> inspect_archive(const PlannedTileset& plan, const FileMade& made) {
    const auto archive = tiles::Archive::open(made.file);
    if (!archive) return misbehaved(archive.error().detail);
    const auto contents = tiles::check_archive(**archive, {plan.geometry, plan.version_tiles.has_value()});
    if (!contents) return misbehaved(contents.error().detail);
    return *contents;
}

TilesetOutput tileset_of(const PlannedTileset& plan, const std::string& file, const tiles::ArchiveContents& contents) {
    const auto tiles = static_cast<std::int64_t>(contents.tiles);
    return {file, plan.version_tiles.has_value(), plan.geometry, plan.version_tiles.value_or(tiles), plan.options};
}

Result<Manifest, JobError> inspect_words(const Manifest& claimed) {
    if (claimed.artifacts.size() != 1 || claimed.tileset) return misbehaved("another number of results");
    auto metadata = checked_metadata(claimed.artifacts.front().metadata);
    if (!metadata) return std::move(metadata).error();
    OutputFile words;
    words.metadata = std::move(*metadata);
    return Manifest{{std::move(words)}, std::nullopt};
}

}  // namespace

JobError misbehaved(std::string detail) {
    return {JobErrorCode::internal_error, "the work failed", "engine: " + std::move(detail)};
}

Result<Manifest, JobError> inspect(const ProductPlan& plan, const RunRequest& request, const Manifest& claimed,
                                   const TakeFile& take) {
    if (!plan.picture && !plan.tileset) return inspect_words(claimed);
    const bool is_archive = !plan.picture;
    if (claimed.artifacts.size() != 1 + plan.further.size() ||
        claimed.tileset.has_value() != plan.tileset.has_value()) {
        return misbehaved("another number of results");
    }
    const OutputFile& first = claimed.artifacts.front();
    if (claimed.tileset && (claimed.tileset->file == first.file) != is_archive) return misbehaved("mixed up results");
    const auto made = take(first.file);
    if (!made) return made.error();

    Manifest manifest;
    if (plan.picture) {
        const bool has_source = !plan.tileset && !request.images.empty();
        const InputImage* source = has_source ? &request.images.front() : nullptr;
        auto picture = inspect_picture(*plan.picture, source, first, *made);
        if (!picture) return std::move(picture).error();
        manifest.artifacts.push_back(std::move(*picture));
    }
    for (std::size_t i = 0; i < plan.further.size(); ++i) {
        const OutputFile& next = claimed.artifacts[i + 1];
        if (is_named_before(claimed, i + 1)) return misbehaved("one file for two results");
        const auto more = take(next.file);
        if (!more) return more.error();
        const InputImage* source = request.images.empty() ? nullptr : &request.images.front();
        auto picture = inspect_picture(plan.further[i], source, next, *more);
        if (!picture) return std::move(picture).error();
        manifest.artifacts.push_back(std::move(*picture));
    }
    if (!plan.tileset) return manifest;
    const auto archive = is_archive ? made : take(claimed.tileset->file);
    if (!archive) return archive.error();
    const auto contents = inspect_archive(*plan.tileset, *archive);
    if (!contents) return contents.error();
    manifest.tileset = tileset_of(*plan.tileset, claimed.tileset->file, *contents);
    if (is_archive) {
        auto metadata = checked_metadata(first.metadata);
        if (!metadata) return std::move(metadata).error();
        manifest.artifacts.push_back(archive_artifact(first.file, plan.tileset->geometry));
        manifest.artifacts.front().metadata = std::move(*metadata);
    }
    overwrite(manifest.artifacts.front().metadata, tileset_metadata(*manifest.tileset, *contents));
    return manifest;
}

}  // namespace tessera::operations
