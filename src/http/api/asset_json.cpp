#include "http/api/asset_json.hpp"

#include "core/image_format.hpp"
#include "http/api/json_object.hpp"

namespace tessera::http {
namespace {

void write_fields(JsonObject& object, const Asset& asset) {
    object.id("id", asset.id).id("account_id", asset.account_id);
    object.text("source_type", asset.source_type).text("status", asset.status);
    object.text("original_filename", asset.original_filename);
    object.text("content_type", media_type(asset.image.format));
    object.text("checksum_sha256", asset.checksum_sha256).number("byte_size", asset.byte_size);
    object.number("width", asset.image.width).number("height", asset.image.height);
    object.text("storage_key", asset.storage_key).time("created_at", asset.created_at);
}

void write_all_fields(JsonObject& object, const Asset& asset) {
    write_fields(object, asset);
    if (asset.expires_at) object.time("expires_at", *asset.expires_at);
}

}  // namespace

std::string to_json(const Asset& asset) {
    std::string out;
    JsonObject object(out);
    write_fields(object, asset);
    object.end();
    return out;
}

std::string to_json(const service::AssetView& view) {
    std::string out;
    JsonObject object(out);
    write_all_fields(object, view.asset);
    object.text("content_url", view.link.url).time("content_expires_at", view.link.expires_at);
    object.end();
    return out;
}

std::string to_json(const service::ListedAssets& listed) {
    return list_json("assets", listed.assets, listed.next_cursor, [](std::string& out, const Asset& asset) {
        JsonObject object(out);
        write_all_fields(object, asset);
        object.end();
    });
}

}  // namespace tessera::http
