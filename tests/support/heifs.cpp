#include "support/heifs.hpp"

#include <libheif/heif.h>

#include <memory>
#include <stdexcept>

#include "codecs/heif/boxes.hpp"

namespace tessera::test {
namespace {

using namespace std::string_literals;

template <auto Release>
struct Releaser {
    void operator()(auto* object) const { Release(object); }
};
using Context = std::unique_ptr<heif_context, Releaser<heif_context_free>>;
using Encoder = std::unique_ptr<heif_encoder, Releaser<heif_encoder_release>>;
using Image = std::unique_ptr<heif_image, Releaser<heif_image_release>>;

void check(const heif_error& error) {
    if (error.code != heif_error_Ok) throw std::runtime_error(error.message);
}

std::string big(std::uint64_t value, int bytes) {
    std::string out;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
    return out;
}

std::string full_box(const std::string& type, int version, const std::string& body) {
    return heif_box(type, big(static_cast<std::uint64_t>(version) << 24, 4) + body);
}

heif_error append(heif_context* /*context*/, const void* data, std::size_t size, void* out) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
    return {heif_error_Ok, heif_suberror_Unspecified, ""};
}

std::string encode(const heif_image* image, bool av1, bool deep = false) {
    const Context context(heif_context_alloc());
    heif_encoder* made = nullptr;
    check(
        heif_context_get_encoder_for_format(context.get(), av1 ? heif_compression_AV1 : heif_compression_HEVC, &made));
    const Encoder encoder(made);
    check(heif_encoder_set_lossy_quality(made, 95));
    check(heif_encoder_set_parameter_string(made, "chroma", deep ? "420" : "444"));
    if (av1) check(heif_encoder_set_parameter_integer(made, "speed", 9));
    check(heif_context_encode_image(context.get(), image, made, nullptr, nullptr));
    std::string file;
    heif_writer writer{1, append};
    check(heif_context_write(context.get(), &writer, &file));
    return file;
}

codecs::FileBytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Takes the only item out of a file of one.
HeifItem item_of(const std::string& file, bool av1) {
    HeifItem item;
    item.kind = av1 ? "av01" : "hvc1";
    const auto text = [](codecs::FileBytes bytes) { return std::string(codecs::text_of(bytes)); };
    codecs::for_each_box(bytes_of(file), [&](std::string_view type, codecs::FileBytes body) {
        if (type == "mdat") item.data = text(body);
        if (type != "meta") return;
        codecs::for_each_box(body.subspan(4), [&](std::string_view inner, codecs::FileBytes iprp) {
            if (inner != "iprp") return;
            codecs::for_each_box(iprp, [&](std::string_view table, codecs::FileBytes ipco) {
                if (table != "ipco") return;
                codecs::for_each_box(ipco, [&](std::string_view property, codecs::FileBytes value) {
                    item.properties.push_back(heif_box(std::string(property), text(value)));
                });
            });
        });
    });
    if (item.data.empty() || item.properties.empty()) throw std::runtime_error("no item");
    return item;
}

std::string item_infos(const HeifLayout& layout) {
    std::string entries;
    for (std::size_t i = 0; i < layout.items.size(); ++i) {
        entries += full_box("infe", 2, big(i + 1, 2) + big(0, 2) + layout.items[i].kind + '\0');
    }
    return full_box("iinf", 0, big(layout.items.size(), 2) + entries);
}

// Every item has copies of its own of its properties.
std::string properties(const HeifLayout& layout) {
    std::string all;
    std::string uses = big(layout.items.size(), 4);
    int index = 0;
    for (std::size_t i = 0; i < layout.items.size(); ++i) {
        uses += big(i + 1, 2) + big(layout.items[i].properties.size(), 1);
        for (const std::string& property : layout.items[i].properties) {
            all += property;
            uses += big(static_cast<std::uint64_t>(0x80 | ++index), 1);
        }
    }
    return heif_box("iprp", heif_box("ipco", all) + full_box("ipma", 0, uses));
}

std::string references(const HeifLayout& layout) {
    if (layout.references.empty()) return {};
    std::string all;
    for (const HeifReference& reference : layout.references) {
        std::string body = big(static_cast<std::uint64_t>(reference.from), 2) + big(reference.to.size(), 2);
        for (const int to : reference.to) body += big(static_cast<std::uint64_t>(to), 2);
        all += heif_box(reference.kind, body);
    }
    return full_box("iref", 0, all);
}

std::string locations(const HeifLayout& layout, std::size_t start) {
    std::string all = big(0x4400, 2) + big(layout.items.size(), 2);  // offsets and lengths of four bytes
    for (std::size_t i = 0; i < layout.items.size(); ++i) {
        const std::size_t size = layout.items[i].data.size();
        all += big(i + 1, 2) + big(0, 2) + big(1, 2) + big(start, 4) + big(size, 4);
        start += size;
    }
    return full_box("iloc", 0, all);
}

std::string meta(const HeifLayout& layout, std::size_t data_start) {
    const std::string handler = full_box("hdlr", 0, big(0, 4) + "pict" + std::string(12, '\0') + '\0');
    return full_box("meta", 0,
                    handler + full_box("pitm", 0, big(static_cast<std::uint64_t>(layout.primary), 2)) +
                        locations(layout, data_start) + item_infos(layout) + references(layout) + properties(layout));
}

Image rgb_image(const Quarters& picture) {
    heif_image* made = nullptr;
    const bool deep = picture.bits > 8;
    check(heif_image_create(picture.width, picture.height, heif_colorspace_RGB,
                            deep ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RGB, &made));
    Image image(made);
    check(heif_image_add_plane(made, heif_channel_interleaved, picture.width, picture.height, picture.bits));
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(made, heif_channel_interleaved, &stride);
    for (int y = 0; y < picture.height; ++y) {
        std::uint8_t* out = plane + std::ptrdiff_t{y} * stride;
        for (int x = 0; x < picture.width; ++x) {
            const Rgb& colour = picture.colours[(x * 2 >= picture.width ? 1 : 0) + (y * 2 >= picture.height ? 2 : 0)];
            for (const int value : {colour.red, colour.green, colour.blue}) {
                const int sample = value << (picture.bits - 8);
                *out++ = static_cast<std::uint8_t>(sample);
                if (deep) *out++ = static_cast<std::uint8_t>(sample >> 8);
            }
        }
    }
    return image;
}

}  // namespace

std::string heif_box(const std::string& type, const std::string& body) {
    return big(body.size() + 8, 4) + type + body;
}

std::string make_heif(const HeifLayout& layout) {
    const std::string head = heif_box("ftyp", layout.brand + big(0, 4) + "mif1" + layout.brand);
    std::string data;
    for (const HeifItem& item : layout.items) data += item.data;
    const std::size_t start = head.size() + meta(layout, 0).size() + 8;
    return head + meta(layout, start) + heif_box("mdat", data);
}

HeifItem coded_item(const Quarters& picture) {
    return item_of(encode(rgb_image(picture).get(), picture.av1, picture.bits > 8), picture.av1);
}

HeifItem coded_grey(int width, int height, int value) {
    heif_image* made = nullptr;
    check(heif_image_create(width, height, heif_colorspace_monochrome, heif_chroma_monochrome, &made));
    const Image image(made);
    check(heif_image_add_plane(made, heif_channel_Y, width, height, 8));
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(made, heif_channel_Y, &stride);
    std::fill_n(plane, std::ptrdiff_t{stride} * height, static_cast<std::uint8_t>(value));
    return item_of(encode(made, true), true);
}

std::string rotation(int quarter_turns) {
    return heif_box("irot", big(static_cast<std::uint64_t>(quarter_turns), 1));
}

std::string mirror(int axis) {
    return heif_box("imir", big(static_cast<std::uint64_t>(axis), 1));
}

std::string clean_aperture(std::uint32_t width, std::uint32_t height, std::int32_t across, std::int32_t down) {
    const auto whole = [](std::uint32_t value) { return big(value, 4) + big(1, 4); };
    // Offsets are of the centres from each other, in halves.
    const auto halves = [](std::int32_t value) { return big(static_cast<std::uint32_t>(value * 2), 4) + big(2, 4); };
    return heif_box("clap", whole(width) + whole(height) + halves(across) + halves(down));
}

std::string extent(std::uint32_t width, std::uint32_t height) {
    return full_box("ispe", 0, big(width, 4) + big(height, 4));
}

std::string auxiliary_type(const std::string& urn) {
    return full_box("auxC", 0, urn + '\0');
}

std::string grid_data(int rows, int columns, std::uint16_t width, std::uint16_t height) {
    return "\0\0"s + static_cast<char>(rows - 1) + static_cast<char>(columns - 1) + big(width, 2) + big(height, 2);
}

}  // namespace tessera::test
