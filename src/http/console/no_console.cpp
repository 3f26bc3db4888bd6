// The binary without a console.
#include "http/console/console_files.hpp"

namespace tessera::http {

std::span<const ConsoleFile> console_files() {
    return {};
}

}  // namespace tessera::http
