#include "operations/quality_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tessera::operations {
namespace {

struct Point {
    double quality;
    double score;
};
// The usual picture, by our own encoders.
constexpr std::array<Point, 10> jpeg_half_curve{
    {{1, -40}, {10, 7}, {30, 54}, {45, 64}, {60, 71}, {70, 75}, {80, 79.5}, {88, 84}, {94, 87.5}, {100, 90}}};
constexpr std::array<Point, 9> jpeg_full_curve{
    {{1, -38}, {10, 9}, {30, 55}, {45, 65}, {60, 72.5}, {80, 81}, {88, 86}, {94, 90.5}, {100, 95}}};
constexpr std::array<Point, 8> webp_curve{
    {{1, 10}, {10, 33}, {30, 52}, {50, 65}, {65, 69.5}, {80, 76.5}, {90, 84.5}, {100, 91}}};
constexpr std::array<Point, 8> avif_curve{
    {{1, -10}, {20, 30}, {35, 50}, {50, 66}, {60, 74}, {75, 83}, {88, 89}, {100, 95}}};
constexpr std::array<Point, 7> jxl_curve{{{1, 0}, {20, 40}, {40, 58}, {60, 70}, {75, 78}, {90, 87}, {100, 96}}};

std::span<const Point> usual_of(ScoreCurve curve) {
    switch (curve) {
        case ScoreCurve::jpeg_half_colour: break;
        case ScoreCurve::jpeg_full_colour: return jpeg_full_curve;
        case ScoreCurve::webp: return webp_curve;
        case ScoreCurve::avif: return avif_curve;
        case ScoreCurve::jxl: return jxl_curve;
    }
    return jpeg_half_curve;
}

constexpr double perfect = 100;

// On a line through the two points on either side.
double usual_loss(ScoreCurve curve, double quality) {
    const std::span<const Point> usual = usual_of(curve);
    std::size_t above = 1;
    while (above + 1 < usual.size() && usual[above].quality < quality) ++above;
    const Point& a = usual[above - 1];
    const Point& b = usual[above];
    return perfect - (a.score + (b.score - a.score) * (quality - a.quality) / (b.quality - a.quality));
}

// Tries after which a prediction that still was not good enough is trusted half.
constexpr int patience = 4;

// How much over the target is not worth another try: each one saves less than the one before it.
constexpr std::array<double, QualitySearch::most_tries> worth_nothing{0.4, 0.4, 0.4, 0.8, 1.0, 1.4, 1.4, 1.4};

}  // namespace

ScoreCurve curve_of(ImageFormat format) {
    switch (format) {
        case ImageFormat::webp: return ScoreCurve::webp;
        case ImageFormat::avif: return ScoreCurve::avif;
        case ImageFormat::jxl: return ScoreCurve::jxl;
        default: return ScoreCurve::jpeg_half_colour;
    }
}

QualitySearch::QualitySearch(const Task& task)
    : curve_(task.curve),
      target_(task.target),
      step_(task.step),
      lowest_(static_cast<int>(std::ceil(1 / step_))),
      highest_(static_cast<int>(task.highest / step_)) {}

int QualitySearch::step_of(double quality) const {
    return static_cast<int>(std::lround(quality / step_));
}

double QualitySearch::share_at(const Try& one) const {
    return (perfect - one.score) / usual_loss(curve_, one.step * step_);
}

double QualitySearch::share_of_usual() const {
    return tries_.empty() ? 1 : share_at(tries_.front());
}

// The proportion changes evenly between two tries, and goes on so for a while beyond them.
double QualitySearch::predicted(int step) const {
    constexpr double most_change = 1.25;
    double share = expected_share_;
    if (tries_.size() == 1) share = share_at(tries_.front());
    if (tries_.size() > 1) {
        auto above = std::ranges::find_if(tries_, [&](const Try& one) { return one.step >= step; });
        above = std::clamp(above, tries_.begin() + 1, tries_.end() - 1);
        const Try& below = *std::prev(above);
        const double from = share_at(below);
        const double to = share_at(*above);
        const double part = static_cast<double>(step - below.step) / (above->step - below.step);
        share = std::clamp(from * std::pow(to / from, part), std::min(from, to) / most_change,
                           std::max(from, to) * most_change);
    }
    return perfect - share * usual_loss(curve_, step * step_);
}

bool QualitySearch::is_near_enough() const {
    return enough_ && enough_->score <= target_ + worth_nothing[static_cast<std::size_t>(tried_ - 1)];
}

std::optional<double> QualitySearch::next() const {
    if (tries() == most_tries || is_near_enough()) return std::nullopt;
    const int low = too_low_ ? too_low_->step + 1 : lowest_;
    const int high = enough_ ? enough_->step - 1 : highest_;
    if (low > high) return std::nullopt;
    int step = low;
    while (step < high && predicted(step) < target_) ++step;
    const int middle = (low + high) / 2;
    if (enough_ && too_low_ && tried_ >= patience) step = (step + middle + 1) / 2;
    if (exact_from_ <= high + 1) step = std::min(step, middle);  // what is exact tells nothing of the rest
    return step * step_;
}

std::vector<double> QualitySearch::beside(double quality) const {
    constexpr double far_below = 2.5;
    constexpr int most_below = 4;
    const int from = step_of(quality);
    std::vector<double> found;
    for (int step = from; step >= std::max(lowest_, from - most_below); --step) {
        if (step < from && predicted(step) < target_ - far_below) continue;
        found.push_back(step * step_);
    }
    return found;
}

bool QualitySearch::has_tried(double quality) const {
    return std::ranges::find(tries_, step_of(quality), &Try::step) != tries_.end();
}

void QualitySearch::tried(double quality, double score) {
    const Try made{step_of(quality), score};
    ++tried_;
    if (score < perfect) {
        tries_.insert(std::ranges::upper_bound(tries_, made.step, {}, &Try::step), made);
    } else {
        exact_from_ = made.step;
    }
    (score >= target_ ? enough_ : too_low_) = made;
}

}  // namespace tessera::operations
