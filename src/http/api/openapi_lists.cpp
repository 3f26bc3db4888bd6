#include "http/api/openapi_lists.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string_view>
#include <utility>

namespace tessera::http {
namespace {

namespace json = boost::json;

constexpr std::string_view list_schemas = R"json({
"NextCursor": {
  "type": ["string", "null"],
  "description": "The `cursor` of the next page; null at the end of the list. A page may hold fewer than `limit`, or nothing, and not be the last."
},
"ListedAsset": {
  "description": "An asset, and when it expires.",
  "allOf": [
    {"$ref": "#/components/schemas/Asset"},
    {"type": "object", "properties": {"expires_at": {"type": "string", "format": "date-time", "description": "Absent where it is kept."}}}
  ]
},
"AssetWithContent": {
  "allOf": [
    {"$ref": "#/components/schemas/ListedAsset"},
    {
      "type": "object",
      "required": ["content_url", "content_expires_at"],
      "properties": {
        "content_url": {"type": "string", "format": "uri", "description": "Signed; to be used unchanged."},
        "content_expires_at": {"type": "string", "format": "date-time"}
      }
    }
  ]
},
"AssetList": {
  "type": "object",
  "required": ["assets", "next_cursor"],
  "properties": {
    "assets": {"type": "array", "items": {"$ref": "#/components/schemas/ListedAsset"}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"ListedArtifact": {
  "allOf": [
    {"$ref": "#/components/schemas/Artifact"},
    {"type": "object", "properties": {"expires_at": {"type": "string", "format": "date-time", "description": "Absent where it is kept."}}}
  ]
},
"ListedJob": {
  "description": "A job, with what it costs and how far it is. Its artifacts say when they expire.",
  "allOf": [
    {"$ref": "#/components/schemas/Job"},
    {
      "type": "object",
      "required": ["credits", "progress"],
      "properties": {
        "credits": {"type": "integer", "minimum": 0, "description": "What was charged when the job was accepted."},
        "progress": {"type": "number", "minimum": 0, "maximum": 1},
        "tileset_id": {"type": "string", "format": "uuid", "description": "The tileset that the job names or made."},
        "artifacts": {"type": "array", "items": {"$ref": "#/components/schemas/ListedArtifact"}}
      }
    }
  ]
},
"JobList": {
  "type": "object",
  "required": ["jobs", "next_cursor"],
  "properties": {
    "jobs": {"type": "array", "items": {"$ref": "#/components/schemas/ListedJob"}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"TilesetVersion": {
  "type": "object",
  "required": ["version", "format", "width", "height", "tile_size", "min_zoom", "max_zoom", "tile_count", "created_at"],
  "properties": {
    "version": {"type": "integer", "minimum": 1},
    "format": {"type": "string", "enum": ["png", "jpeg", "webp"]},
    "width": {"type": "integer", "description": "Of the full-size picture, in pixels."},
    "height": {"type": "integer", "description": "Of the full-size picture, in pixels."},
    "tile_size": {"type": "integer", "enum": [256, 512]},
    "min_zoom": {"type": "integer", "minimum": 0},
    "max_zoom": {"type": "integer", "minimum": 0, "description": "The zoom of full size."},
    "tile_count": {"type": "integer", "minimum": 0},
    "job_id": {"type": "string", "format": "uuid", "description": "The job that made it, where that is known."},
    "created_at": {"type": "string", "format": "date-time"},
    "replaced_at": {"type": "string", "format": "date-time", "description": "When the next version took its place."},
    "expires_at": {"type": "string", "format": "date-time", "description": "When it stops resolving. Absent where it is kept."},
    "public_tile_url_template": {"type": "string", "description": "For accounts with `cdn_delivery`. With the literal placeholders {z}, {x} and {y}."},
    "tile_url_template": {"type": "string", "description": "The same template."}
  }
},
"Tileset": {
  "type": "object",
  "description": "A tileset as its current version is.",
  "required": ["id", "version", "format", "width", "height", "tile_size", "min_zoom", "max_zoom", "tile_count", "created_at", "updated_at"],
  "properties": {
    "id": {"type": "string", "format": "uuid"},
    "version": {"type": "integer", "minimum": 1, "description": "The current one."},
    "format": {"type": "string", "enum": ["png", "jpeg", "webp"]},
    "width": {"type": "integer", "description": "Of the full-size picture, in pixels."},
    "height": {"type": "integer", "description": "Of the full-size picture, in pixels."},
    "tile_size": {"type": "integer", "enum": [256, 512]},
    "min_zoom": {"type": "integer", "minimum": 0},
    "max_zoom": {"type": "integer", "minimum": 0},
    "tile_count": {"type": "integer", "minimum": 0},
    "job_id": {"type": "string", "format": "uuid", "description": "The job that made the current version, where that is known."},
    "created_at": {"type": "string", "format": "date-time"},
    "updated_at": {"type": "string", "format": "date-time", "description": "When the current version was made."},
    "expires_at": {"type": "string", "format": "date-time", "description": "Absent where it is kept."}
  }
},
"TilesetWithVersions": {
  "allOf": [
    {"$ref": "#/components/schemas/Tileset"},
    {
      "type": "object",
      "required": ["versions"],
      "properties": {
        "versions": {"type": "array", "items": {"$ref": "#/components/schemas/TilesetVersion"}, "description": "Those whose tiles can be had, newest first."}
      }
    }
  ]
},
"TilesetList": {
  "type": "object",
  "required": ["tilesets", "next_cursor"],
  "properties": {
    "tilesets": {"type": "array", "items": {"$ref": "#/components/schemas/Tileset"}},
    "next_cursor": {"$ref": "#/components/schemas/NextCursor"}
  }
},
"UsageOfOperation": {
  "type": "object",
  "required": ["operation", "submitted", "succeeded", "failed", "cancelled", "processing_credits"],
  "properties": {
    "operation": {"type": "string"},
    "submitted": {"type": "integer", "minimum": 0},
    "succeeded": {"type": "integer", "minimum": 0},
    "failed": {"type": "integer", "minimum": 0, "description": "But those that were cancelled."},
    "cancelled": {"type": "integer", "minimum": 0},
    "processing_credits": {"type": "integer", "description": "Charged less given back; on a day it may be below zero."}
  }
},
"UsageSums": {
  "type": "object",
  "required": ["jobs", "processing_credits", "uploads", "uploaded_bytes", "delivered_bytes"],
  "properties": {
    "jobs": {"type": "array", "items": {"$ref": "#/components/schemas/UsageOfOperation"}, "description": "By operation; a job is submitted on one day and may end on another."},
    "processing_credits": {"type": "integer", "description": "Charged less given back."},
    "uploads": {"type": "integer", "minimum": 0},
    "uploaded_bytes": {"type": "integer", "minimum": 0},
    "delivered_bytes": {"type": "integer", "minimum": 0, "description": "By public tile addresses."}
  }
},
"UsageHistory": {
  "type": "object",
  "description": "Days are in UTC; the last is today.",
  "required": ["first_day", "last_day", "days", "totals"],
  "properties": {
    "first_day": {"type": "string", "format": "date"},
    "last_day": {"type": "string", "format": "date"},
    "days": {"type": "array", "items": {
      "allOf": [
        {"$ref": "#/components/schemas/UsageSums"},
        {"type": "object", "required": ["date"], "properties": {"date": {"type": "string", "format": "date"}}}
      ]
    }},
    "totals": {"$ref": "#/components/schemas/UsageSums"}
  }
},
"TileJson": {
  "type": "object",
  "description": "TileJSON 3.0, of raster tiles.",
  "required": ["tilejson", "tiles", "minzoom", "maxzoom"],
  "properties": {
    "tilejson": {"type": "string", "const": "3.0.0"},
    "name": {"type": "string"},
    "version": {"type": "string", "pattern": "^[0-9]+[.]0[.]0$", "description": "The tileset's version."},
    "scheme": {"type": "string", "const": "xyz"},
    "tiles": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1, "description": "A signed template for accounts with `cdn_delivery`; otherwise the template of the route that takes a key."},
    "minzoom": {"type": "integer", "minimum": 0},
    "maxzoom": {"type": "integer", "minimum": 0},
    "bounds": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4, "description": "What the picture covers of the square that a map viewer lays it in."},
    "format": {"type": "string", "enum": ["png", "jpeg", "webp"]},
    "tileSize": {"type": "integer", "enum": [256, 512]},
    "width": {"type": "integer"},
    "height": {"type": "integer"}
  }
}
})json";

constexpr std::string_view list_examples = R"json({
"UsageHistory": {
  "first_day": "2026-03-01", "last_day": "2026-03-01",
  "days": [{
    "date": "2026-03-01",
    "jobs": [{"operation": "tile", "submitted": 2, "succeeded": 1, "failed": 0, "cancelled": 0, "processing_credits": 24}],
    "processing_credits": 24, "uploads": 2, "uploaded_bytes": 4812345, "delivered_bytes": 1234567
  }],
  "totals": {
    "jobs": [{"operation": "tile", "submitted": 2, "succeeded": 1, "failed": 0, "cancelled": 0, "processing_credits": 24}],
    "processing_credits": 24, "uploads": 2, "uploaded_bytes": 4812345, "delivered_bytes": 1234567
  }
},
"TilesetWithVersions": {
  "id": "8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302",
  "version": 2, "format": "png", "width": 4000, "height": 3000, "tile_size": 256, "min_zoom": 0, "max_zoom": 4, "tile_count": 260,
  "job_id": "7d0a6f0c-4a1e-4d9b-8b39-52b5d8f7c302",
  "created_at": "2026-03-01T09:30:01.700Z",
  "updated_at": "2026-03-01T10:12:44.020Z",
  "versions": [{
    "version": 2, "format": "png", "width": 4000, "height": 3000, "tile_size": 256, "min_zoom": 0, "max_zoom": 4, "tile_count": 260,
    "job_id": "7d0a6f0c-4a1e-4d9b-8b39-52b5d8f7c302",
    "created_at": "2026-03-01T10:12:44.020Z"
  }]
},
"TileJson": {
  "tilejson": "3.0.0",
  "name": "8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302",
  "version": "2.0.0",
  "scheme": "xyz",
  "tiles": ["https://images.example.org/v1/tilesets/8a6f0c7d-4a1e-4d9b-8b39-52b5d8f7c302/xyz/{z}/{x}/{y}.png"],
  "minzoom": 0,
  "maxzoom": 4,
  "bounds": [-180.0, -19.7267722, 171.5625, 85.0511288],
  "format": "png",
  "tileSize": 256,
  "width": 4000,
  "height": 3000
}
})json";

}  // namespace

void add_list_schemas(json::object& schemas) {
    json::object made = json::parse(list_schemas).as_object();
    json::object examples = json::parse(list_examples).as_object();
    for (auto& example : examples) {
        made.at(example.key()).as_object()["examples"] = json::array{std::move(example.value())};
    }
    for (auto& schema : made) schemas[schema.key()] = std::move(schema.value());
}

}  // namespace tessera::http
