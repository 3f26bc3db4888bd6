#include "imaging/save/encode/webp_search.hpp"

#include <webp/decode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vips/vips8>

#include "imaging/looks/error_map.hpp"
#include "imaging/save/encode/bit_allocation.hpp"

namespace tessera::imaging {
namespace {

namespace vp8 = codecs::vp8;
using looks::ErrorMap;

// Beside the usual ones.
constexpr int finer_colour_means = 2 * vp8::usual_colour_means;
// Beside the usual filter: a weak one and a strong one. None at all is liked by SSIMULACRA 2 alone.
constexpr std::array<double, 2> other_filters{0.15, 0.42};

class Search {
  public:
    Search(const vp8::Picture& planes, const looks::Pixels& source, double quality,
           const std::function<void(double)>& progress)
        : planes_(planes),
          source_(source),
          progress_(progress),
          encoder_(quality),
          decoded_(static_cast<std::size_t>(source.width) * static_cast<std::size_t>(source.height) * 3) {}

    std::optional<std::vector<std::uint8_t>> run() {
        const auto first = encoder_.encode(planes_);
        if (!first) return std::nullopt;
        const vp8::Segments segments = allocate_bits(encoder_, looks_of(*first));
        auto usual = attempt(segments);
        if (!usual) return std::nullopt;
        const Attempt best = with_finer_colour_means(*std::move(usual));
        const auto file = encoder_.with_filters(best_filters(best.looks));
        if (!file) return std::nullopt;
        return std::vector<std::uint8_t>(file->begin(), file->end());
    }

  private:
    struct Attempt {
        vp8::Segments segments;
        ErrorMap looks;
        double loss;
    };

    ErrorMap looks_of(std::span<const std::uint8_t> file) {
        const int stride = source_.width * 3;
        if (WebPDecodeRGBInto(file.data(), file.size(), decoded_.data(), decoded_.size(), stride) == nullptr) {
            throw vips::VError("webp: what was encoded can't be decoded");
        }
        ErrorMap looks(source_, {decoded_.data(), static_cast<std::size_t>(stride), 3, source_.width, source_.height});
        progress_(++compared_ / most_compared);
        return looks;
    }

    // What counts: a tenth less of what a score lacks to 100 takes about a tenth more bytes.
    static double loss_of(std::size_t bytes, double score) {
        return std::log(static_cast<double>(bytes)) + 1.1 * std::log(std::max(100 - score, 0.1));
    }

    std::optional<Attempt> attempt(const vp8::Segments& segments) {
        const auto file = encoder_.encode(planes_, segments);
        if (!file) return std::nullopt;
        ErrorMap looks = looks_of(*file);
        const double loss = loss_of(file->size(), looks.score());
        return Attempt{segments, std::move(looks), loss};
    }

    // Or without, if that is better. What is returned is what the encoder has encoded last.
    Attempt with_finer_colour_means(Attempt usual) {
        vp8::Segments segments = usual.segments;
        segments.colour_means = finer_colour_means;
        auto finer = attempt(segments);
        if (finer && finer->loss < usual.loss) return *std::move(finer);
        encoder_.encode(planes_, usual.segments);
        return usual;
    }

    // For each segment the one with the least error, of what the encoder has encoded last.
    std::array<int, vp8::most_segments> best_filters(const ErrorMap& usual) {
        const vp8::Segments segments = encoder_.segments();
        std::array<int, vp8::most_segments> best{};
        for (std::size_t i = 0; i < best.size(); ++i) best[i] = segments.all[i].filter;
        std::array<double, vp8::most_segments> least = errors_by_segment(usual, usual, segments);
        for (const double of_step : other_filters) {
            std::array<int, vp8::most_segments> filters{};
            for (std::size_t i = 0; i < filters.size(); ++i) {
                filters[i] = vp8::filter_after(segments.all[i].quantiser, of_step);
            }
            const auto file = encoder_.with_filters(filters);
            if (!file) break;
            const auto errors = errors_by_segment(looks_of(*file), usual, segments);
            for (std::size_t i = 0; i < filters.size(); ++i) {
                if (errors[i] >= least[i]) continue;
                least[i] = errors[i];
                best[i] = filters[i];
            }
        }
        return best;
    }

    static std::array<double, vp8::most_segments> errors_by_segment(const ErrorMap& looks, const ErrorMap& usual,
                                                                    const vp8::Segments& segments) {
        const std::vector<double> errors = looks.errors(usual);
        std::array<double, vp8::most_segments> sums{};
        for (std::size_t i = 0; i < errors.size(); ++i) sums.at(segments.of[i]) += errors[i];
        return sums;
    }

    static constexpr double most_compared = 3 + other_filters.size();

    const vp8::Picture& planes_;
    const looks::Pixels& source_;
    const std::function<void(double)>& progress_;
    vp8::Encoder encoder_;
    std::vector<std::uint8_t> decoded_;
    int compared_ = 0;
};

}  // namespace

std::optional<std::vector<std::uint8_t>> search_webp(const codecs::vp8::Picture& planes, const looks::Pixels& source,
                                                     double quality, const std::function<void(double)>& progress) {
    return Search(planes, source, quality, progress).run();
}

}  // namespace tessera::imaging
