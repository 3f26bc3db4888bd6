// Inside imaging only: one still picture by libaom.
#pragma once

#include <span>
#include <string>

#include "imaging/save/encode/av1_planes.hpp"

namespace tessera::imaging {

// An option of libaom by its own name. A libaom that does not know it makes a larger file, which is no reason to fail.
struct Av1Tool {
    const char* name;
    const char* value;
};

struct Av1Settings {
    bool lossless = false;
    bool is_exact_colour = false;  // planes are red, green and blue
    double level = 0;              // of the quantiser, 0 (finest) to 63; in quarters where there are ten bits
    int speed = 6;                 // 0 (slow) to 9
    bool for_films = false;        // libaom's ways for films, rather than those for pictures: up to speed 6
    int threads = 1;
    int most_tries = 1;  // encodings, until one has the level between two of libaom's that was asked for
    // As what is on a screen: blocks of few colours are looked for. Blocks that repeat are not: that takes three times
    // as long again and a hundred bytes a pixel, and where it is allowed no edges between blocks are smoothed.
    bool as_screen = false;
    std::span<const Av1Tool> tools;
};

// Its OBUs. Throws VError.
std::string encode_av1(const aom_image_t& planes, const Av1Settings& settings);

}  // namespace tessera::imaging
