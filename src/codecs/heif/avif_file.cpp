#include "codecs/heif/avif_file.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace tessera::codecs {
namespace {

std::string big(std::uint64_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t i = width; i-- > 0;) bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

std::string box(std::string_view type, const std::string& body) {
    return big(body.size() + 8, 4) + std::string(type) + body;
}

std::string full_box(std::string_view type, int version, int flags, const std::string& body) {
    return box(type, big(static_cast<std::uint64_t>(version), 1) + big(static_cast<std::uint64_t>(flags), 3) + body);
}

std::string terminated(std::string_view text) {
    return std::string(text) + '\0';
}

struct SequenceHeader {
    unsigned profile = 0;
    unsigned level = 0;
};

// Of a still picture whose header is the short one: profile, two flags and the level are its first ten bits.
std::optional<SequenceHeader> sequence_header_of(FileBytes coded) {
    constexpr unsigned kind_and_size = 1 << 3 | 1 << 1;  // a sequence header, which says how long it is
    constexpr unsigned still_and_short = 0x18;
    if (coded.size() < 4 || coded[0] != kind_and_size || coded[1] < 2 || coded[1] > 127) return std::nullopt;
    if ((coded[2] & still_and_short) != still_and_short) return std::nullopt;
    const unsigned first_bits = read_big16(coded, 2);
    return SequenceHeader{.profile = first_bits >> 13, .level = first_bits >> 6 & 31};
}

// One entry of the file's table of items.
struct Item {
    std::string_view kind;
    FileBytes data;
    std::string before;                      // bytes in front of the data
    std::string_view refers_as;              // to the picture, which is the first; empty for itself
    std::string_view content_type;           // of kind `mime`
    std::vector<std::uint8_t> properties{};  // numbers of boxes in `ipco`, from 1; the highest bit: can't be ignored

    [[nodiscard]] std::size_t size() const { return before.size() + data.size(); }
};

constexpr std::uint8_t essential = 0x80;

class Writer {
  public:
    explicit Writer(const AvifFile& file) : file_(file) {}

    std::optional<std::string> run() {
        const auto colour = sequence_header_of(file_.colour);
        if (!colour || !add_pictures(*colour)) return std::nullopt;
        add_texts();
        std::size_t data_size = 8;
        for (const Item& item : items_) data_size += item.size();
        const std::string brands = ftyp(*colour);
        const std::size_t before_data = brands.size() + meta(0).size();
        if (before_data + data_size > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;

        std::string bytes = brands + meta(before_data + 8) + big(data_size, 4) + "mdat";
        bytes.reserve(before_data + data_size);
        for (const Item& item : items_) bytes.append(item.before).append(text_of(item.data));
        return bytes;
    }

  private:
    std::uint8_t add_property(const std::string& property) {
        properties_ += property;
        return ++property_count_;
    }

    // What a coded picture is; `of_opacity` has neither colours nor their kind.
    [[nodiscard]] std::string av1_configuration(const SequenceHeader& header, bool of_opacity) const {
        const bool grey = of_opacity || file_.is_grey;
        const bool halved = grey || file_.has_halved_colour;
        const unsigned depth = file_.bits > 8 ? 1U << 6 : 0U;
        const unsigned planes = (grey ? 1U << 4 : 0U) | (halved ? 3U << 2 : 0U);
        return box("av1C",
                   big(0x81, 1) + big(header.profile << 5 | header.level, 1) + big(depth | planes, 1) + big(0, 1));
    }

    [[nodiscard]] std::string depths(int planes) const {
        std::string body = big(static_cast<std::uint64_t>(planes), 1);
        for (int i = 0; i < planes; ++i) body += big(static_cast<std::uint64_t>(file_.bits), 1);
        return full_box("pixi", 0, 0, body);
    }

    // BT.709's primaries, sRGB's transfer, and how colours are mixed, over the full range: numbers of ITU-T H.273.
    [[nodiscard]] std::string colours() const {
        constexpr unsigned none = 0;
        constexpr unsigned bt709 = 1;
        constexpr unsigned bt601 = 6;
        const unsigned for_full = file_.is_exact_colour ? none : bt709;
        const unsigned matrix = file_.is_grey || file_.has_halved_colour ? bt601 : for_full;
        return box("colr", "nclx" + big(1, 2) + big(13, 2) + big(matrix, 2) + big(0x80, 1));
    }

    bool add_pictures(const SequenceHeader& header) {
        const std::string size =
            big(static_cast<std::uint64_t>(file_.width), 4) + big(static_cast<std::uint64_t>(file_.height), 4);
        const std::uint8_t extent = add_property(full_box("ispe", 0, 0, size));
        Item picture{.kind = "av01", .data = file_.colour, .before = {}, .refers_as = {}, .content_type = {}};
        picture.properties = {extent, add_property(depths(file_.is_grey ? 1 : 3)),
                              static_cast<std::uint8_t>(add_property(av1_configuration(header, false)) | essential)};
        picture.properties.push_back(add_property(colours()));
        if (!file_.profile.empty()) {
            picture.properties.push_back(add_property(box("colr", "prof" + std::string(text_of(file_.profile)))));
        }
        items_.push_back(picture);
        if (file_.opacity.empty()) return true;

        const auto of_opacity = sequence_header_of(file_.opacity);
        if (!of_opacity) return false;
        Item opacity{.kind = "av01", .data = file_.opacity, .before = {}, .refers_as = "auxl", .content_type = {}};
        opacity.properties = {
            extent, add_property(depths(1)),
            static_cast<std::uint8_t>(add_property(av1_configuration(*of_opacity, true)) | essential),
            add_property(full_box("auxC", 0, 0, terminated("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")))};
        items_.push_back(opacity);
        return true;
    }

    void add_texts() {
        // Four bytes say how far from them the TIFF structure begins.
        if (!file_.exif.empty()) items_.push_back({"Exif", file_.exif, big(0, 4), "cdsc", {}});
        if (!file_.xmp.empty()) items_.push_back({"mime", file_.xmp, {}, "cdsc", "application/rdf+xml"});
    }

    // Readers that know a profile of AVIF may rely on its limits: the baseline's level is 5.1 at most, the advanced
    // one's 6.0.
    [[nodiscard]] static std::string ftyp(const SequenceHeader& header) {
        std::string brands = "avif" + big(0, 4) + "avifmif1miaf";
        if (header.profile == 0 && header.level <= 13) brands += "MA1B";
        if (header.profile == 1 && header.level <= 16) brands += "MA1A";
        return box("ftyp", brands);
    }

    [[nodiscard]] std::string meta(std::size_t data_begins) const {
        const std::string handler = big(0, 4) + "pict" + std::string(12, '\0') + terminated("");
        return full_box("meta", 0, 0,
                        full_box("hdlr", 0, 0, handler) + full_box("pitm", 0, 0, big(1, 2)) + places(data_begins) +
                            table() + references() + box("iprp", box("ipco", properties_) + associations()));
    }

    // Items are numbered from 1 in the order of their data.
    [[nodiscard]] std::string places(std::size_t data_begins) const {
        std::string body = big(0x44, 1) + big(0, 1) + big(items_.size(), 2);  // offsets and lengths take four bytes
        std::size_t at = data_begins;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            body += big(i + 1, 2) + big(0, 2) + big(1, 2) + big(at, 4) + big(items_[i].size(), 4);
            at += items_[i].size();
        }
        return full_box("iloc", 0, 0, body);
    }

    [[nodiscard]] std::string table() const {
        std::string body = big(items_.size(), 2);
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            std::string entry = big(i + 1, 2) + big(0, 2) + std::string(item.kind) + terminated("");
            if (!item.content_type.empty()) entry += terminated(item.content_type);
            body += full_box("infe", 2, 0, entry);
        }
        return full_box("iinf", 0, 0, body);
    }

    [[nodiscard]] std::string references() const {
        std::string body;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (items_[i].refers_as.empty()) continue;
            body += box(items_[i].refers_as, big(i + 1, 2) + big(1, 2) + big(1, 2));
        }
        return body.empty() ? body : full_box("iref", 0, 0, body);
    }

    [[nodiscard]] std::string associations() const {
        std::string entries;
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const auto& numbers = items_[i].properties;
            if (numbers.empty()) continue;
            ++count;
            entries += big(i + 1, 2) + big(numbers.size(), 1) + std::string(numbers.begin(), numbers.end());
        }
        return full_box("ipma", 0, 0, big(count, 4) + entries);
    }

    const AvifFile& file_;
    std::vector<Item> items_;
    std::string properties_;
    std::uint8_t property_count_ = 0;
};

}  // namespace

std::optional<std::string> write_avif(const AvifFile& file) {
    return Writer(file).run();
}

}  // namespace tessera::codecs
