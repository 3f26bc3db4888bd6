#include "codecs/png/inflate.hpp"

#include <isa-l/igzip_lib.h>

#include <limits>
#include <memory>

namespace tessera::codecs {

bool inflate_into(std::span<std::uint8_t> out, std::span<const std::uint8_t> packed) {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (out.size() > most || packed.size() > most) return false;
    const auto state = std::make_unique_for_overwrite<inflate_state>();
    isal_inflate_init(state.get());
    state->crc_flag = ISAL_ZLIB;
    state->next_in = const_cast<std::uint8_t*>(packed.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): reads
    state->avail_in = static_cast<std::uint32_t>(packed.size());
    state->next_out = out.data();
    state->avail_out = static_cast<std::uint32_t>(out.size());
    return isal_inflate_stateless(state.get()) == ISAL_DECOMP_OK && state->avail_out == 0;
}

}  // namespace tessera::codecs
