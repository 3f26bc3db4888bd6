#include "app/tiles/serve_archive.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <iostream>

#include "app/shutdown_signals.hpp"
#include "app/tiles/viewer_page.hpp"
#include "http/server/server.hpp"

namespace tessera::app {
namespace {

// Everybody may look: the address is this machine's own.
class OpenGate final : public http::Gate {
  public:
    std::optional<http::Verdict> try_admit(const http::Route&, http::Request&) override { return http::Verdict{}; }
    http::Verdict admit(const http::Route&, http::Request&) override { return {}; }
};

std::string_view media_type_of(const tiles::Archive& archive) {
    const auto format = tiles::pmtiles::format_of(archive.header().tile_type);
    return format ? media_type(*format) : "application/octet-stream";
}

// Archives that others made do not tell the picture's size: it is the whole map then.
std::string description(const tiles::Archive& archive, const std::string& name) {
    const auto& header = archive.header();
    const auto format = tiles::pmtiles::format_of(header.tile_type);
    const std::int64_t side = std::int64_t{256} << header.max_zoom;
    const TilesetGeometry geometry = archive.geometry().value_or(
        TilesetGeometry{format.value_or(ImageFormat::png), 256, side, side, header.min_zoom, header.max_zoom});
    return boost::json::serialize(boost::json::object{{"name", name},
                                                      {"format", format ? to_string(*format) : "other"},
                                                      {"width", geometry.width},
                                                      {"height", geometry.height},
                                                      {"tile_size", geometry.tile_size},
                                                      {"min_zoom", geometry.min_zoom},
                                                      {"max_zoom", geometry.max_zoom},
                                                      {"tile_count", header.addressed_tiles}});
}

http::Response tile_response(const ArchiveFile& file, const http::Request& request) {
    const std::string_view last = request.parameter("y");
    const auto tile =
        tiles::TileCoord::parse(request.parameter("z"), request.parameter("x"), last.substr(0, last.find('.')));
    if (!tile)
        return http::Response::from(Error{ErrorCode::invalid_request, "not the address of a tile", {}}.with_hint(
            "zoom, column and row are whole numbers from 0, without leading zeros"));
    auto bytes = file.archive->read_tile(*tile);
    if (!bytes) return http::Response::from(std::move(bytes).error());
    if (!*bytes) return http::Response::from({ErrorCode::tile_not_found, "tile not found", {}});
    const auto& found = **bytes;
    return http::Response::bytes(media_type_of(*file.archive), std::string(found.begin(), found.end()));
}

http::Route route(std::string pattern, http::Handler handler) {
    http::Route made;
    made.pattern = std::move(pattern);
    made.cors = true;
    made.handler = std::move(handler);
    return made;
}

http::Response page() {
    http::Response response = http::Response::bytes("text/html; charset=utf-8", std::string(viewer_page()));
    response.has_own_policy = true;
    response.add("Content-Security-Policy",
                 "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src 'self' data:");
    return response;
}

}  // namespace

std::vector<http::Route> archive_routes(const ArchiveFile& file, const std::string& name) {
    return {route("/", http::on_loop([](const http::Request&) { return page(); })),
            route("/archive.json", http::on_loop([text = description(*file.archive, name)](const http::Request&) {
                      return http::Response::json(text);
                  })),
            route("/{z}/{x}/{y}",
                  http::on_pool([file](const http::Request& request) { return tile_response(file, request); }))};
}

int serve_archive(const ArchiveFile& file, const std::string& name, const std::string& listen) {
    ShutdownSignals signals;
    http::ServerConfig config;
    config.listen = {listen};
    config.access_log = false;
    http::Server server(config, archive_routes(file, name), {}, std::make_shared<OpenGate>());
    if (auto started = server.start(); !started) throw CommandFailed(ExitCode::failed, started.error().message);
    std::cout << name << " is at http://" << server.addresses().front() << "/ — stop with Ctrl-C\n" << std::flush;
    signals.wait();
    server.stop();
    return static_cast<int>(ExitCode::ok);
}

}  // namespace tessera::app
