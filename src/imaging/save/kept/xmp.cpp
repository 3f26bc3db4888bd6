#include "imaging/save/kept/xmp.hpp"

namespace tessera::imaging {
namespace {

// What ends the value that starts behind `name`: of an attribute the quote, of an element the next tag.
std::string_view end_of_value(std::string_view behind) {
    if (behind.starts_with("=\"")) return "\"";
    if (behind.starts_with("='")) return "'";
    return behind.starts_with('>') ? "<" : "";
}

void set(std::string& xmp, std::string_view name, const std::string& value) {
    for (std::size_t at = xmp.find(name); at != std::string::npos; at = xmp.find(name, at)) {
        at += name.size();
        const std::string_view end = end_of_value(std::string_view(xmp).substr(at));
        if (end.empty() || std::string_view(xmp).substr(0, at - name.size()).ends_with('/')) continue;
        at += end == "<" ? std::size_t{1} : std::size_t{2};
        const std::size_t until = xmp.find(end, at);
        if (until == std::string::npos) return;
        xmp.replace(at, until - at, value);
    }
}

}  // namespace

std::string xmp_of(std::string_view given, const PictureFacts& facts) {
    std::string xmp(given);
    set(xmp, "tiff:Orientation", "1");
    set(xmp, "tiff:ImageWidth", std::to_string(facts.width));
    set(xmp, "tiff:ImageLength", std::to_string(facts.height));
    set(xmp, "exif:PixelXDimension", std::to_string(facts.width));
    set(xmp, "exif:PixelYDimension", std::to_string(facts.height));
    if (facts.srgb) {
        set(xmp, "exif:ColorSpace", "1");
        set(xmp, "photoshop:ICCProfile", "sRGB IEC61966-2.1");
    }
    return xmp;
}

}  // namespace tessera::imaging
