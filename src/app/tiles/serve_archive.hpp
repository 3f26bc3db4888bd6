// Serves one archive on a local address, with a plain page that shows it.
#pragma once

#include <string>
#include <vector>

#include "app/tiles/open_file.hpp"
#include "http/routing/route.hpp"

namespace tessera::app {

// "/": the page; "/{z}/{x}/{y}": a tile, with or without its extension; "/archive.json": what the archive says of
// itself.
std::vector<http::Route> archive_routes(const ArchiveFile& file, const std::string& name);

// Until SIGINT or SIGTERM.
int serve_archive(const ArchiveFile& file, const std::string& name, const std::string& listen);

}  // namespace tessera::app
