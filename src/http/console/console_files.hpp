// The files of the console, as they lie in the binary.
#pragma once

#include <span>
#include <string_view>

namespace tessera::http {

struct ConsoleFile {
    std::string_view path;  // relative to the console's address: "index.html", "console/assets/…"
    std::string_view content_type;
    std::string_view hash;  // of what it holds
    std::string_view plain;
    std::string_view brotli;  // empty where it would not be smaller
    std::string_view gzip;
};

// None where the binary was built without the console.
std::span<const ConsoleFile> console_files();

}  // namespace tessera::http
