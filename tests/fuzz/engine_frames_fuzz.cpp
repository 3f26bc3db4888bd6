// What a host reads from an engine that may have been taken over.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "core/header_size.hpp"
#include "engine/wire/frame.hpp"
#include "engine/wire/messages.hpp"
#include "operations/inspection.hpp"

namespace {

constexpr std::size_t max_bytes = 4096;

// What is read of a PNG of one pixel.
constexpr std::array<std::uint8_t, 33> png_header{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0,    0,
                                                  13,   'I', 'H', 'D', 'R',  0,    0,    0,    1,    0,    0,
                                                  0,    1,   8,   6,   0,    0,    0,    0x1f, 0x15, 0xc4, 0x89};

void write_file(const tessera::UniqueFd& file, const void* bytes, std::size_t size) {
    if (::ftruncate(file.get(), 0) != 0 || ::pwrite(file.get(), bytes, size, 0) < 0) std::abort();
}

// As the host does. A file whose name begins with p is a small PNG, any other is the message itself.
void look_at(const tessera::operations::Manifest& claimed, const std::string& bytes) {
    using namespace tessera::operations;
    static const tessera::UniqueFd png = [] {
        tessera::UniqueFd file(::memfd_create("png", MFD_CLOEXEC));
        write_file(file, png_header.data(), png_header.size());
        return file;
    }();
    static const tessera::UniqueFd file(::memfd_create("made", MFD_CLOEXEC));
    write_file(file, bytes.data(), bytes.size());
    const auto size = static_cast<std::int64_t>(bytes.size());
    RunRequest request;
    request.images.resize(1);
    ProductPlan picture;
    picture.picture = PlannedPicture{{tessera::ImageFormat::png}, 1, 1};
    ProductPlan tileset;
    tileset.tileset = PlannedTileset{};
    ProductPlan several = picture;
    several.further.push_back(
        {.formats = {tessera::ImageFormat::png}, .any_size_within = PlannedPicture::Bounds{100, 10'000}, .kind = "w9"});
    for (const ProductPlan& plan : {picture, several, tileset}) {
        const auto made = inspect(plan, request, claimed, [&](const std::string& name) {
            return name.starts_with('p') ? FileMade{png.get(), png_header.size()} : FileMade{file.get(), size};
        });
        if (!made) continue;
        if (made->artifacts.size() != 1 + plan.further.size()) std::abort();
        for (const auto& artifact : made->artifacts) {
            if (artifact.metadata.size() > 64 || artifact.content_type.find('\n') != std::string::npos) std::abort();
        }
    }
    for (const auto format : tessera::all_image_formats) (void)tessera::header_sizes(file.get(), bytes.size(), format);
}

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
    if (manifest == nullptr || !manifest->is_object()) return;
    const auto claimed = tessera::operations::manifest_from_json(manifest->get_object());
    if (claimed) look_at(*claimed, body);
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
