// JPEG files of every plain kind, made while a test runs, and what they are at a smaller scale, worked out from their
// coefficients with nothing but the definition.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::test {

enum class JpegScans {
    one,          // baseline
    each,         // baseline, a scan for each component
    progressive,  // as libjpeg does it by default
    bands,        // progressive, frequencies in several scans but no bit by bit
    bits,         // progressive, frequencies in two scans and bit by bit
};

struct JpegKind {
    int width = 64;
    int height = 48;
    int bands = 3;   // 1 grey, 3 colour
    int across = 1;  // how many samples of lightness there are to one of the colours
    int down = 1;
    int quality = 85;
    int restart_units = 0;
    JpegScans scans = JpegScans::one;
    bool optimised = false;  // codes of its own
    bool is_rgb = false;
    [[nodiscard]] std::string name() const;
};

std::string make_jpeg(const JpegKind& kind);

struct ReducedPicture {
    int width = 0;
    int height = 0;
    int bands = 0;
    bool is_damaged = false;  // libjpeg had to make something up
    std::string pixels;
};

// Nothing where libjpeg can't read it, or it can't be done with transforms alone.
std::optional<ReducedPicture> reduced_by_definition(std::string_view file, int shrink);

}  // namespace tessera::test
