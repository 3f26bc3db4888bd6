#include "imaging/formats/png_colours.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "codecs/png/chunks.hpp"
#include "core/file.hpp"
#include "imaging/colour/profile.hpp"

namespace tessera::imaging {
namespace {

using Data = std::vector<std::uint8_t>;
using Point = ColourSpace::Point;

constexpr int most_chunks = 20'000;  // before the pixels
constexpr std::uint32_t longest_chunk = 32;

// What the chunks in front of the pixels say; empty where there is no such chunk, or its size is wrong.
struct Statements {
    Data gama;
    Data chrm;
    Data srgb;
    Data cicp;
};

Data* place_for(Statements& said, const codecs::PngChunk& chunk) {
    if (chunk.type == codecs::png_type("gAMA") && chunk.length == 4) return &said.gama;
    if (chunk.type == codecs::png_type("cHRM") && chunk.length == longest_chunk) return &said.chrm;
    if (chunk.type == codecs::png_type("sRGB") && chunk.length == 1) return &said.srgb;
    if (chunk.type == codecs::png_type("cICP") && chunk.length == 4) return &said.cicp;
    return nullptr;
}

Statements read_statements(codecs::BufferedFile& file) {
    Statements said;
    Data signature(8);
    if (file.read(signature) != signature.size()) return said;
    for (int count = 0; count < most_chunks; ++count) {
        const auto chunk = codecs::next_chunk(file);
        if (!chunk || chunk->type == codecs::idat) break;
        if (Data* place = place_for(said, *chunk); place != nullptr && place->empty()) {
            *place = codecs::chunk_data(file, *chunk).value_or(Data());
        } else if (!codecs::skip_chunk(file, *chunk)) {
            break;
        }
    }
    return said;
}

// Encoders write 1/2.2 and mean sRGB; libpng takes what is as near for the same, too.
double exponent_of(const Data& gama) {
    constexpr double near = 0.05;
    constexpr double least = 0.05;
    constexpr double most = 20;
    if (gama.empty() || codecs::big_endian(gama.data()) == 0) return 0;
    const double exponent = 100'000.0 / codecs::big_endian(gama.data());
    return std::abs(exponent / 2.2 - 1) <= near || exponent < least || exponent > most ? 0 : exponent;
}

bool close_to(const ColourSpace& a, const ColourSpace& b) {
    constexpr double near = 0.005;
    const auto close = [](Point p, Point q) { return std::abs(p.x - q.x) <= near && std::abs(p.y - q.y) <= near; };
    return close(a.red, b.red) && close(a.green, b.green) && close(a.blue, b.blue) && close(a.white, b.white);
}

bool is_usable(const ColourSpace& space) {
    return std::ranges::all_of(std::initializer_list<Point>{space.red, space.green, space.blue, space.white},
                               [](Point p) { return p.x >= 0 && p.y > 0 && p.x + p.y <= 1; });
}

ColourSpace with_chromaticities(ColourSpace space, const Data& chrm) {
    if (chrm.empty()) return space;
    const auto point = [&](std::size_t at) {
        return Point{codecs::big_endian(chrm.data() + at) / 1e5, codecs::big_endian(chrm.data() + at + 4) / 1e5};
    };
    ColourSpace stated{point(8), point(16), point(24), point(0), space.exponent};
    if (!is_usable(stated) || close_to(stated, {})) return space;
    return stated;
}

// Code points of ITU-T H.273. Those of video and high dynamic range are left as they are.
ColourSpace of_code_points(const Data& cicp) {
    ColourSpace space;
    if (cicp[0] == 9) {
        space.red = {0.708, 0.292};
        space.green = {0.170, 0.797};
        space.blue = {0.131, 0.046};
    } else if (cicp[0] == 12) {
        space.red = {0.680, 0.320};
        space.green = {0.265, 0.690};
        space.blue = {0.150, 0.060};
    }
    if (cicp[1] == 4) space.exponent = 2.2;
    if (cicp[1] == 5) space.exponent = 2.8;
    if (cicp[1] == 8) space.exponent = 1;
    return space;
}

// Nothing where it is sRGB.
std::optional<ColourSpace> stated_space(int fd) {
    UniqueFd own(::dup(fd));
    if (!own) return std::nullopt;
    codecs::BufferedFile file(std::move(own));
    const Statements said = read_statements(file);
    ColourSpace space;
    if (!said.cicp.empty()) {
        space = of_code_points(said.cicp);
    } else if (said.srgb.empty()) {
        space.exponent = exponent_of(said.gama);
        space = with_chromaticities(space, said.chrm);
    }
    if (space.exponent == 0 && close_to(space, {})) return std::nullopt;
    return space;
}

}  // namespace

std::string stated_profile(int fd, bool grey) {
    const auto space = stated_space(fd);
    return space ? profile_of(*space, grey) : std::string();
}

}  // namespace tessera::imaging
