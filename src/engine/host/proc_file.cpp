#include "engine/host/proc_file.hpp"

#include <unistd.h>

#include <array>

#include "core/file.hpp"

namespace tessera::engine {

std::string read_proc_file(const std::string& path) {
    std::string text;
    const auto file = open_for_reading(path);
    if (!file) return text;
    std::array<char, 4096> buffer;
    ssize_t got = 0;
    while ((got = ::read(file->get(), buffer.data(), buffer.size())) > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

}  // namespace tessera::engine
