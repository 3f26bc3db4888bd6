#include "http/api/openapi_pictures.hpp"

#include <boost/json/parse.hpp>
#include <string_view>

namespace tessera::http {
namespace {

namespace json = boost::json;

constexpr std::string_view picture_schemas = R"json({
"IiifInfo": {
  "type": "object",
  "description": "Image information of the IIIF Image API 3.0.",
  "required": ["@context", "id", "type", "protocol", "profile", "width", "height"],
  "additionalProperties": true,
  "examples": [{
    "@context": "http://iiif.io/api/image/3/context.json",
    "id": "https://images.example.org/v1/tilesets/8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302/v/2/iiif",
    "type": "ImageService3", "protocol": "http://iiif.io/api/image", "profile": "level2",
    "width": 400, "height": 300, "maxWidth": 8192, "maxHeight": 8192, "maxArea": 16777216,
    "sizes": [{"width": 200, "height": 150}, {"width": 400, "height": 300}],
    "tiles": [{"width": 256, "height": 256, "scaleFactors": [1, 2]}],
    "preferredFormats": ["png"], "extraFormats": ["webp"], "extraQualities": ["bitonal"],
    "extraFeatures": ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "sizeUpscaling"]
  }]
},
"TilesetAddresses": {
  "type": "object",
  "description": "Where a version of a tileset is for viewers.",
  "required": ["tileset_id", "version", "keyed"],
  "properties": {
    "tileset_id": {"type": "string", "format": "uuid"},
    "version": {"type": "integer", "minimum": 1},
    "keyed": {"$ref": "#/components/schemas/KeyedAddresses"},
    "public": {"$ref": "#/components/schemas/PublicAddresses"}
  },
  "examples": [{
    "tileset_id": "8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302",
    "version": 2,
    "keyed": {
      "xyz": "https://images.example.org/v1/tilesets/8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302/xyz/{z}/{x}/{y}.png",
      "tilejson": "https://images.example.org/v1/tilesets/8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302/tilejson",
      "iiif": "https://images.example.org/v1/tilesets/8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302/v/2/iiif",
      "dzi": "https://images.example.org/v1/tilesets/8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302/v/2/dzi/image.dzi"
    }
  }]
},
"AssetAddresses": {
  "type": "object",
  "description": "Where an asset is for viewers: the base addresses of the IIIF Image API 3.0, which lead to info.json.",
  "required": ["asset_id", "keyed"],
  "properties": {
    "asset_id": {"type": "string", "format": "uuid"},
    "keyed": {
      "type": "object", "required": ["iiif"], "description": "For requests with a key.",
      "properties": {"iiif": {"type": "string"}}
    },
    "public": {
      "type": "object", "required": ["iiif", "expires_at"],
      "description": "Signed, for accounts with `cdn_delivery`: whoever has one may read until it expires.",
      "properties": {"iiif": {"type": "string"}, "expires_at": {"type": "string", "format": "date-time"}}
    }
  },
  "examples": [{
    "asset_id": "2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01",
    "keyed": {"iiif": "https://images.example.org/v1/assets/2c1a8f66-0d52-4e8b-9f38-6c0a5f1f7b01/iiif"}
  }]
},
"KeyedAddresses": {
  "type": "object",
  "description": "For requests with a key. Those of XYZ and TileJSON are always the current version's.",
  "required": ["xyz", "tilejson", "iiif", "dzi"],
  "properties": {
    "xyz": {"type": "string", "description": "With the literal placeholders {z}, {x} and {y}."},
    "tilejson": {"type": "string"},
    "iiif": {"type": "string", "description": "The base address of the IIIF Image API 3.0, which leads to info.json."},
    "dzi": {"type": "string", "description": "The descriptor of the Deep Zoom image."}
  }
},
"PublicAddresses": {
  "type": "object",
  "description": "Signed, for accounts with `cdn_delivery`: whoever has one may read until it expires.",
  "required": ["xyz", "iiif", "dzi", "expires_at"],
  "properties": {
    "xyz": {"type": "string", "description": "With the literal placeholders {z}, {x} and {y}."},
    "iiif": {"type": "string", "description": "The base address of the IIIF Image API 3.0, which leads to info.json."},
    "dzi": {"type": "string", "description": "The descriptor of the Deep Zoom image."},
    "expires_at": {"type": "string", "format": "date-time"}
  }
}
})json";

}  // namespace

void add_picture_schemas(json::object& schemas) {
    json::object made = json::parse(picture_schemas).as_object();
    for (auto& schema : made) schemas[schema.key()] = std::move(schema.value());
}

}  // namespace tessera::http
