// The sniffer sees the first bytes of every upload outside of any sandbox.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "core/file.hpp"
#include "core/header_size.hpp"
#include "core/sniff.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using tessera::Sniffed;
    const std::span<const std::uint8_t> bytes(data, size);
    const Sniffed whole = tessera::sniff(bytes, true);
    if (whole.kind == Sniffed::Kind::need_more) std::abort();
    if ((whole.kind == Sniffed::Kind::image) != whole.format.has_value()) std::abort();
    // Arriving in pieces changes nothing: once there is an answer it stays.
    for (std::size_t length = 0; length <= size && length <= tessera::sniff_length; ++length) {
        const Sniffed partial = tessera::sniff(bytes.first(length), false);
        if (partial.kind == Sniffed::Kind::need_more) continue;
        const Sniffed later = tessera::sniff(bytes, size >= tessera::sniff_length);
        if (later.kind != partial.kind || later.format != partial.format) std::abort();
    }
    // Headers of results are read outside of any sandbox, too.
    static const tessera::UniqueFd file(::memfd_create("picture", MFD_CLOEXEC));
    if (::ftruncate(file.get(), 0) != 0 || ::pwrite(file.get(), data, size, 0) < 0) std::abort();
    for (const auto format : tessera::all_image_formats) {
        if (tessera::header_sizes(file.get(), size, format).size() > 4096) std::abort();
    }
    return 0;
}
