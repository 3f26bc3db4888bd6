#include "codecs/jpeg/metadata.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "codecs/jpeg/each_segment.hpp"

namespace tessera::codecs {
namespace {

using namespace std::string_view_literals;
using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view exif_mark = "Exif\0\0"sv;
constexpr std::string_view xmp_mark = "http://ns.adobe.com/xap/1.0/\0"sv;
constexpr std::string_view icc_mark = "ICC_PROFILE\0"sv;
constexpr std::string_view iptc_mark = "Photoshop 3.0\0"sv;

bool is_marked(SegmentBody body, std::string_view mark) {
    return text_of(body).starts_with(mark);
}

void keep_first(Bytes& place, SegmentBody bytes) {
    if (place.empty()) place.assign(bytes.begin(), bytes.end());
}

// A profile comes in up to 255 parts, each with its number and how many there are.
class ProfileParts {
  public:
    void add(SegmentBody part) {
        if (part.size() <= 2) return;
        const std::size_t number = part[0];
        const std::size_t count = part[1];
        if (count_ == 0) count_ = count;
        if (number == 0 || number > count || count != count_ || !parts_[number - 1].empty()) {
            contradictory_ = true;
            return;
        }
        parts_[number - 1].assign(part.begin() + 2, part.end());
    }

    [[nodiscard]] Bytes joined() const {
        Bytes profile;
        if (contradictory_) return profile;
        for (std::size_t i = 0; i < count_; ++i) {
            if (parts_[i].empty()) return {};
            profile.insert(profile.end(), parts_[i].begin(), parts_[i].end());
        }
        return profile;
    }

  private:
    std::array<Bytes, 255> parts_;
    std::size_t count_ = 0;
    bool contradictory_ = false;
};

}  // namespace

GatheredMetadata read_jpeg_metadata(int fd) {
    GatheredMetadata found;
    ProfileParts profile;
    for_each_segment(fd, [&](std::uint8_t marker, SegmentBody body) {
        if (marker == jpeg_app1 && is_marked(body, exif_mark)) keep_first(found.exif, body.subspan(exif_mark.size()));
        if (marker == jpeg_app1 && is_marked(body, xmp_mark)) keep_first(found.xmp, body.subspan(xmp_mark.size()));
        if (marker == jpeg_app2 && is_marked(body, icc_mark)) profile.add(body.subspan(icc_mark.size()));
        if (marker == jpeg_app13 && is_marked(body, iptc_mark)) keep_first(found.iptc, body);
        return true;
    });
    found.icc = profile.joined();
    return found;
}

}  // namespace tessera::codecs
