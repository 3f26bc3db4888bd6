// HEIF and AVIF files put together by hand, item by item, around pictures that libheif encoded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test {

struct HeifItem {
    std::string kind;  // "av01", "hvc1", "grid", ...
    std::string data;
    std::vector<std::string> properties;  // whole boxes, in their order
};

struct HeifReference {
    std::string kind;  // "dimg", "auxl", ...
    int from = 0;
    std::vector<int> to;
};

struct HeifLayout {
    std::vector<HeifItem> items = {};  // whose ids are 1, 2, ...
    int primary = 1;
    std::vector<HeifReference> references = {};
    std::string brand = "mif1";
};

std::string make_heif(const HeifLayout& layout);

struct Rgb {
    int red = 0;
    int green = 0;
    int blue = 0;
};

// Four colours in the quarters of a picture: top left, top right, bottom left, bottom right.
struct Quarters {
    int width = 64;
    int height = 48;
    Rgb colours[4] = {{200, 0, 0}, {0, 200, 0}, {0, 0, 200}, {230, 230, 230}};
    int bits = 8;  // a sample
    bool av1 = true;
};

// Such a picture as an item, with the properties that its decoder needs.
HeifItem coded_item(const Quarters& picture);
// One band of this value everywhere, for an auxiliary picture.
HeifItem coded_grey(int width, int height, int value);

std::string heif_box(const std::string& type, const std::string& body);
std::string rotation(int quarter_turns);  // against the clock
std::string mirror(int axis);             // 0 exchanges top and bottom, 1 left and right
std::string clean_aperture(std::uint32_t width, std::uint32_t height, std::int32_t across, std::int32_t down);
std::string extent(std::uint32_t width, std::uint32_t height);
std::string auxiliary_type(const std::string& urn);
std::string grid_data(int rows, int columns, std::uint16_t width, std::uint16_t height);

}  // namespace tessera::test
