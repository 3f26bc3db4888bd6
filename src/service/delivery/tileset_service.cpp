#include "service/delivery/tileset_service.hpp"

#include <algorithm>

#include "metadata/lists.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"
#include "service/access/page_cursor.hpp"
#include "service/delivery/tile_address.hpp"
#include "service/delivery/tileset_errors.hpp"

namespace tessera::service {

Result<ListedTilesets> TilesetService::list(const Principal& principal, const PageRequest& page) {
    const auto wanted = parse_page(page);
    if (!wanted) return wanted.error();
    auto listed = store_.lists().tilesets(principal.account.id, *wanted);
    if (!listed) return std::move(listed).error();
    ListedTilesets shown{{}, cursor_of(listed->next)};
    for (auto& [tileset, job_id] : listed->items) shown.tilesets.push_back({std::move(tileset), job_id});
    return shown;
}

Result<Tileset> TilesetService::find(const Principal& principal, std::string_view id) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return Error{ErrorCode::invalid_id, "invalid tileset id", {}};
    auto tileset = store_.tilesets().find(principal.account.id, *parsed);
    if (!tileset) return std::move(tileset).error();
    if (!*tileset) return tileset_not_found();
    return std::move(**tileset);
}

Result<TilesetView> TilesetService::describe(const Principal& principal, std::string_view id, std::string_view origin) {
    auto tileset = find(principal, id);
    if (!tileset) return std::move(tileset).error();
    auto versions = store_.lists().versions(tileset->id);
    if (!versions) return std::move(versions).error();
    TilesetView view{{std::move(*tileset), std::nullopt}, {}};
    const Tileset& shown = view.record.tileset;
    const bool entitled = principal.has_feature(cdn_delivery_feature);
    const Timestamp now = clock_.now();
    for (metadata::StoredVersion& stored : *versions) {
        if (stored.version.version == shown.current.version) view.record.job_id = stored.job_id;
        VersionView one{std::move(stored.version), stored.replaced_at, stored.job_id, {}, {}};
        one.expires_at = links_.version_expiry(shown.expires_at, one.replaced_at);
        // The sweeper may not have come by yet.
        if (one.expires_at && to_unix_seconds(*one.expires_at) <= to_unix_seconds(now)) continue;
        if (entitled) {
            one.url_template = links_.tile_template(shown.id, one.version.version, one.version.geometry.format,
                                                    one.expires_at, origin, now);
        }
        view.versions.push_back(std::move(one));
    }
    return view;
}

Result<TileSource> TilesetService::source(const Principal& principal, std::string_view id, std::string_view origin) {
    auto tileset = find(principal, id);
    if (!tileset) return std::move(tileset).error();
    const TilesetVersion& current = tileset->current;
    std::string address = principal.has_feature(cdn_delivery_feature)
                              ? links_.tile_template(tileset->id, current.version, current.geometry.format,
                                                     tileset->expires_at, origin, clock_.now())
                              : links_.keyed_tile_template(tileset->id, current.geometry.format, origin);
    return TileSource{std::move(*tileset), std::move(address)};
}

Result<TilesetAddresses> TilesetService::addresses(const Principal& principal, std::string_view id,
                                                   std::optional<std::string_view> version, std::string_view origin) {
    const auto wanted = version ? canonical_number(*version) : std::nullopt;
    if (version && !wanted) return Error{ErrorCode::invalid_request, "invalid tileset version", {}};
    const auto view = describe(principal, id, origin);
    if (!view) return view.error();
    const Tileset& tileset = view->record.tileset;
    const std::int64_t number = wanted.value_or(tileset.current.version);
    const auto found = std::ranges::find(view->versions, number, [](const auto& one) { return one.version.version; });
    if (found == view->versions.end()) return tileset_not_found();

    TilesetAddresses made{tileset.id, number, {}, {}};
    made.keyed.xyz = links_.keyed_tile_template(tileset.id, tileset.current.geometry.format, origin);
    made.keyed.tilejson = links_.tilejson(tileset.id, origin);
    made.keyed.iiif = links_.keyed_picture_base(PictureForm::iiif, tileset.id, number, origin);
    made.keyed.dzi = links_.keyed_picture_base(PictureForm::deep_zoom, tileset.id, number, origin) + "/image.dzi";
    if (found->url_template.empty()) return made;
    const Timestamp now = clock_.now();
    const auto link = [&](PictureForm form) {
        return links_.picture_base(form, tileset.id, number, found->expires_at, origin, now);
    };
    DownloadLink iiif = link(PictureForm::iiif);
    made.in_public = TilesetAddresses::Public{found->url_template, std::move(iiif.url),
                                              link(PictureForm::deep_zoom).url + "/image.dzi", iiif.expires_at};
    return made;
}

}  // namespace tessera::service
