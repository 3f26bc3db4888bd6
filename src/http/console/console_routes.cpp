#include "http/console/console_routes.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "http/message/accept.hpp"
#include "http/message/conditional.hpp"

namespace tessera::http {
namespace {

constexpr std::string_view page_name = "index.html";
constexpr std::string_view asset_folder = "console/assets/";

// Scripts, styles and pictures of our own and nothing else: no inline code, no other host, no frame around us. Tiles
// and previews that need the key are fetched by the page and shown as its own objects (blob:).
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct Encoded {
    std::string_view bytes;
    std::string_view name;  // empty: as it is
};

// The smallest that the client takes.
Encoded encoded_for(const Request& request, const ConsoleFile& file) {
    if (!file.brotli.empty() && accepts_encoding(request.headers, "br")) return {file.brotli, "br"};
    if (!file.gzip.empty() && accepts_encoding(request.headers, "gzip")) return {file.gzip, "gzip"};
    return {file.plain, {}};
}

Response file_response(const Request& request, const ConsoleFile& file, std::string_view cache_control) {
    const Encoded encoded = encoded_for(request, file);
    Response response = Response::bytes(file.content_type, SharedBytes{nullptr, encoded.bytes});
    response.has_own_policy = true;
    response.add("Content-Security-Policy", policy);
    response.add("Cache-Control", cache_control);
    response.add("Vary", "Accept, Accept-Encoding");
    std::string tag(file.hash);
    if (!encoded.name.empty()) {
        response.add("Content-Encoding", encoded.name);
        tag.append("-").append(encoded.name);
    }
    return apply_conditions(request, std::move(response), strong_etag(tag), false);
}

Response not_found() {
    return Response::from({ErrorCode::not_found, "not found", {}});
}

Route route(std::string pattern, Respond respond) {
    Route made;
    made.pattern = std::move(pattern);
    made.documented = false;
    made.handler = on_loop(std::move(respond));
    return made;
}

}  // namespace

std::vector<Route> console_routes(std::span<const ConsoleFile> files) {
    const auto page = std::ranges::find(files, page_name, &ConsoleFile::path);
    if (page == files.end()) return {};

    std::unordered_map<std::string_view, const ConsoleFile*> assets;
    for (const ConsoleFile& file : files) {
        if (file.path.starts_with(asset_folder)) assets.emplace(file.path.substr(asset_folder.size()), &file);
    }
    std::vector<Route> routes;
    // Programs that ask for `/` have always got "not found": only who asks for a page gets one.
    routes.push_back(route("/", [&file = *page](const Request& request) {
        return accepts_html(request.headers) ? file_response(request, file, "no-cache") : not_found();
    }));
    routes.push_back(
        route("/" + std::string(asset_folder) + "{file}", [assets = std::move(assets)](const Request& request) {
            const auto found = assets.find(request.parameter("file"));
            if (found == assets.end()) return not_found();
            return file_response(request, *found->second, "public, max-age=31536000, immutable");
        }));
    return routes;
}

}  // namespace tessera::http
