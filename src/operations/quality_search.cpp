#include "operations/quality_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tessera::operations {
namespace {

constexpr int lowest = 1;
constexpr int highest = 100;
// A file that scores so little over the target is not worth another try.
constexpr double near_enough = 0.3;

struct Point {
    double quality;
    double score;
};
// The usual picture, by our own encoders.
constexpr std::array<Point, 9> jpeg_curve{
    {{1, -40}, {10, 7}, {30, 54}, {50, 66}, {65, 73}, {80, 79.5}, {90, 89}, {97, 94}, {100, 96}}};
constexpr std::array<Point, 8> webp_curve{
    {{1, 10}, {10, 33}, {30, 52}, {50, 65}, {65, 69.5}, {80, 76.5}, {90, 84.5}, {100, 91}}};
constexpr std::array<Point, 8> avif_curve{
    {{1, -10}, {20, 30}, {35, 50}, {50, 66}, {60, 74}, {75, 83}, {88, 89}, {100, 95}}};
constexpr std::array<Point, 7> jxl_curve{{{1, 0}, {20, 40}, {40, 58}, {60, 70}, {75, 78}, {90, 87}, {100, 96}}};

std::span<const Point> curve_of(ImageFormat format) {
    switch (format) {
        case ImageFormat::webp: return webp_curve;
        case ImageFormat::avif: return avif_curve;
        case ImageFormat::jxl: return jxl_curve;
        default: return jpeg_curve;
    }
}

// On a line through the two points on either side, or the last two at an end.
double quality_on(std::span<const Point> curve, double score) {
    std::size_t above = 1;
    while (above + 1 < curve.size() && curve[above].score < score) ++above;
    const Point& a = curve[above - 1];
    const Point& b = curve[above];
    return a.quality + (b.quality - a.quality) * (score - a.score) / (b.score - a.score);
}

}  // namespace

double QualitySearch::by_the_curve(const Try& from) const {
    const auto curve = curve_of(format_);
    return from.quality + quality_on(curve, target_) - quality_on(curve, from.score);
}

std::optional<int> QualitySearch::next() const {
    if (tries_ == most_tries) return std::nullopt;
    const int low = too_low_ ? too_low_->quality + 1 : lowest;
    const int high = enough_ ? enough_->quality - 1 : highest;
    if (low > high) return std::nullopt;
    if (enough_ && enough_->score <= target_ + near_enough) return std::nullopt;
    double guess = 0;
    if (!too_low_ && !enough_) {
        guess = quality_on(curve_of(format_), target_);
    } else if (too_low_ && enough_) {
        const double share = (target_ - too_low_->score) / (enough_->score - too_low_->score);
        guess = std::ceil(too_low_->quality + share * (enough_->quality - too_low_->quality));
    } else {
        // Past the target rather than short of it: then there is something on both sides.
        const Try& from = enough_ ? *enough_ : *too_low_;
        guess = by_the_curve(from);
        if (before_ && before_->score != from.score) {
            const double line = (from.quality - before_->quality) / (from.score - before_->score);
            guess = from.quality + line * (target_ - from.score);
        }
        const double further = 1 + 0.1 * std::abs(guess - from.quality);
        guess = enough_ ? std::floor(guess - further + 1) : std::ceil(guess + further - 1);
    }
    return std::clamp(static_cast<int>(std::lround(guess)), low, high);
}

void QualitySearch::tried(int quality, double score) {
    ++tries_;
    std::optional<Try>& side = score >= target_ ? enough_ : too_low_;
    before_ = side;
    side = Try{quality, score};
}

}  // namespace tessera::operations
