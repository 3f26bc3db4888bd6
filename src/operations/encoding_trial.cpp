#include "operations/encoding_trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <system_error>

#include "imaging/picture/transform.hpp"
#include "imaging/save/drawn.hpp"
#include "operations/looks_of_file.hpp"

namespace tessera::operations {
namespace {

constexpr std::int64_t parts_across = 3;
constexpr std::int64_t edge_of_part = 192;
// By which two ways are as far apart as by the hardest.
constexpr int quick_avif_effort_for_colour = 2;
constexpr int quick_avif_effort_for_screens = 3;
constexpr int quick_webp_effort = 5;  // the same encoder without its search; it may judge otherwise here and there

// Logarithm of bytes that a point of the score takes, of the usual photograph at some qualities.
struct Worth {
    double quality;
    double of_a_point;
};
constexpr std::array<Worth, 4> webp_worths{{{60, 0.035}, {76, 0.048}, {86, 0.062}, {93, 0.105}}};
constexpr std::array<Worth, 8> avif_worths{
    {{40, 0.038}, {60, 0.05}, {75, 0.075}, {84, 0.125}, {88, 0.2}, {91, 0.31}, {94, 0.45}, {97, 0.6}}};

double worth_of_a_point(ImageFormat format, double quality) {
    using Worths = std::span<const Worth>;
    const Worths worths = format == ImageFormat::avif ? Worths(avif_worths) : Worths(webp_worths);
    const auto above = std::ranges::find_if(worths, [&](const Worth& worth) { return worth.quality > quality; });
    if (above == worths.begin()) return above->of_a_point;
    const Worth& below = *std::prev(above);
    if (above == worths.end()) return below.of_a_point;
    const double share = (quality - below.quality) / (above->quality - below.quality);
    return std::lerp(below.of_a_point, above->of_a_point, share);
}

struct Way {
    imaging::Encoding encoding;
    double bytes = 0;  // of all parts
    double score = 0;
};

// The middle of each of nine cells, or all of a small one.
imaging::Area part_of(const imaging::Image& image, std::int64_t column, std::int64_t row) {
    const auto along = [](std::int64_t length, std::int64_t cell) {
        const std::int64_t cell_length = length / parts_across;
        const std::int64_t part = std::min(std::max<std::int64_t>(cell_length, 1), edge_of_part);
        return std::pair(cell * cell_length + (cell_length - part) / 2, part);
    };
    const auto [left, width] = along(image.width(), column);
    const auto [top, height] = along(image.height(), row);
    return {left, top, width, height};
}

class Trial {
  public:
    Trial(const imaging::Encoding& usual, const imaging::Encoding& other, const std::filesystem::path& scratch,
          imaging::SaveContext saving)
        : usual_{usual}, other_{other}, path_(scratch / "part"), saving_(std::move(saving)) {
        saving_.progress = {};
        saving_.pixels_expected_s = 0;
    }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;
    ~Trial() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    // Whether the other way pays.
    JobResult<bool> run(const imaging::Image& image) {
        constexpr std::int64_t edge_of_small = parts_across * edge_of_part;
        if (image.width() * image.height() <= edge_of_small * edge_of_small) {
            if (auto done = add(image); !done) return done.error();
            return other_pays();
        }
        for (std::int64_t row = 0; row < parts_across; ++row) {
            for (std::int64_t column = 0; column < parts_across; ++column) {
                auto part = imaging::cut(image, part_of(image, column, row));
                if (!part) return part.error();
                if (auto done = add(*part); !done) return done.error();
            }
        }
        return other_pays();
    }

  private:
    JobResult<void> add(const imaging::Image& part) {
        for (Way* way : {&usual_, &other_}) {
            const auto size = imaging::save(part, path_, way->encoding, saving_);
            if (!size) return size.error();
            const auto looks = looks_of_file(part, path_, way->encoding.format);
            if (!looks) return looks.error();
            way->bytes += static_cast<double>(*size);
            way->score += looks->score;
        }
        ++parts_;
        return {};
    }

    [[nodiscard]] bool other_pays() const {
        const double gain = (other_.score - usual_.score) / parts_;
        const double worth = worth_of_a_point(usual_.encoding.format, usual_.encoding.quality) * gain;
        return std::log(other_.bytes / usual_.bytes) < worth;
    }

    Way usual_;
    Way other_;
    std::filesystem::path path_;
    imaging::SaveContext saving_;
    int parts_ = 0;
};

}  // namespace

JobResult<bool> full_colour_pays(const imaging::Image& image, const imaging::Encoding& encoding,
                                 const std::filesystem::path& scratch, const imaging::SaveContext& saving) {
    imaging::Encoding halved = encoding;
    halved.full_colour = false;
    const bool is_avif = encoding.format == ImageFormat::avif;
    halved.effort = std::min(encoding.effort, is_avif ? quick_avif_effort_for_colour : quick_webp_effort);
    imaging::Encoding full = halved;
    full.full_colour = true;
    return Trial(halved, full, scratch, saving).run(image);
}

JobResult<bool> screen_pays(const imaging::Image& image, const imaging::Encoding& encoding,
                            const std::filesystem::path& scratch, const imaging::SaveContext& saving) {
    constexpr double hardly_drawn = 0.2;
    if (imaging::equal_neighbours(image) < hardly_drawn) return false;
    imaging::Encoding usual = encoding;
    usual.effort = std::min(encoding.effort, quick_avif_effort_for_screens);
    imaging::Encoding as_screen = usual;
    as_screen.as_screen = true;
    return Trial(usual, as_screen, scratch, saving).run(image);
}

}  // namespace tessera::operations
