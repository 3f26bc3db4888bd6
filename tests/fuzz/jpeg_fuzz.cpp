// Input: any file. Our reader of JPEGs that are wanted smaller must stay within its buffers, end, and agree with
// libjpeg's coefficients on every file that libjpeg finds nothing wrong with.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "codecs/jpeg/reduced/reader.hpp"
#include "core/hex.hpp"
#include "support/images.hpp"
#include "support/jpegs.hpp"

namespace {

using namespace tessera;
using namespace tessera::codecs;

// Empty where the file is not ours to read, or damaged.
std::string read_with_ours(const std::string& file, int shrink) {
    const auto fd = test::file_with(file);
    const auto reader = codecs::ReducedJpeg::open(fd.get(), shrink);
    constexpr std::int64_t most_pixels = 1 << 12;  // of the reduced picture: more take time and show nothing new
    if (!reader || std::int64_t{reader->width()} * reader->height() > most_pixels) return {};
    std::vector<std::uint8_t> row(static_cast<std::size_t>(reader->width() * reader->bands()));
    std::string pixels;
    for (int y = 0; y < reader->height(); ++y) {
        if (!reader->next_row(row.data())) return {};
        pixels.append(row.begin(), row.end());
    }
    if (reader->next_row(row.data())) std::abort();
    return pixels;
}

// A file of one scan may be followed by others, which nobody who reads it row by row ever sees.
bool has_scans_beyond_need(const std::string& file) {
    std::size_t scans = 0;
    for (std::size_t at = 0; (at = file.find("\xff\xda", at)) != std::string::npos; ++at) ++scans;
    return scans > 1 && file.find("\xff\xc2") == std::string::npos;
}

double difference(const std::string& one, const std::string& other) {
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const int apart = static_cast<std::uint8_t>(one[i]) - static_cast<std::uint8_t>(other[i]);
        sum += apart * apart;
    }
    return std::sqrt(sum / static_cast<double>(one.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file(reinterpret_cast<const char*>(data), size);
    const int shrink = 2 << size % 3;
    const std::string ours = read_with_ours(file, shrink);
    if (ours.empty() || has_scans_beyond_need(file)) return 0;
    const auto theirs = test::reduced_by_definition(file, shrink);
    if (!theirs || theirs->is_damaged) return 0;
    constexpr double what_may_be_left_out = 1.0;
    if (theirs->pixels.size() == ours.size() && difference(ours, theirs->pixels) <= what_may_be_left_out) return 0;
    std::cerr << "libjpeg reads this otherwise at 1/" << shrink << ":\n" << to_hex({data, size}) << '\n';
    std::abort();
}
