// What a host reads from an engine that may have been taken over.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "engine/frame.hpp"
#include "engine/messages.hpp"
#include "operations/run.hpp"

namespace {

constexpr std::size_t max_bytes = 4096;

void read_message(const std::string& body) {
    const auto message = tessera::engine::parse_message(body);
    if (!message) return;
    using namespace tessera::engine;
    if (const auto info = decode_image(*message); info && (info->width < 1 || info->height < 1)) std::abort();
    if (const auto value = fraction_in(*message, "value"); value && !(*value >= 0 && *value <= 1)) std::abort();
    if (decode_error(*message).message.size() > 400) std::abort();
    (void)decode_protections(*message);
    (void)decode_start(*message);
    (void)kind_of(*message);
    const auto* manifest = message->if_contains("manifest");
    if (manifest != nullptr && manifest->is_object())
        (void)tessera::operations::manifest_from_json(manifest->get_object());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tessera::engine::FrameReader reader(max_bytes);
    std::span<const std::uint8_t> left(data, size);
    while (!left.empty()) {
        const std::size_t piece = std::min<std::size_t>(left.size(), 1 + left.front() % 64);
        reader.feed(left.first(piece));
        left = left.subspan(piece);
        while (true) {
            const auto frame = reader.next();
            if (!frame) return 0;
            if (!*frame) break;
            if ((*frame)->size() > max_bytes) std::abort();
            read_message(**frame);
        }
    }
    return 0;
}
