// Which quality reaches a score: the smallest, found in few tries. Higher qualities score higher. How much differs from
// picture to picture, but what a picture loses at two qualities is in nearly the same proportion for all of them: one
// try tells where the others lie.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/image_format.hpp"

namespace tessera::operations {

// A format's usual losses; JPEG has them apart for colour at half and at full resolution.
enum class ScoreCurve { jpeg_half_colour, jpeg_full_colour, webp, avif, jxl };
ScoreCurve curve_of(ImageFormat format);

class QualitySearch {
  public:
    static constexpr int most_tries = 8;
    static constexpr double far_over = 1.4;  // points over the target, that what is beside is tried for

    struct Task {
        ScoreCurve curve;
        double target;
        double step = 1;    // of quality: the least that makes another file
        int highest = 100;  // no quality over this is tried
    };
    explicit QualitySearch(const Task& task);

    // What this picture loses beside the usual one, where that is known from another search: 1 is as usual.
    void expect(double share_of_usual) { expected_share_ = share_of_usual; }
    // As the tries had it; 1 where there were none.
    [[nodiscard]] double share_of_usual() const;

    // What to try next; nothing when that is known, can't be known better, or was tried often enough.
    [[nodiscard]] std::optional<double> next() const;
    void tried(double quality, double score);

    [[nodiscard]] int tries() const { return tried_; }
    [[nodiscard]] bool reached() const { return enough_.has_value(); }

    // What a picture of few bytes scores jumps up and down from one quality to the next. Those next to one that is over
    // the target, and which are not far below it: from that one down.
    [[nodiscard]] std::vector<double> beside(double quality) const;
    [[nodiscard]] bool has_tried(double quality) const;

  private:
    struct Try {
        int step = 0;
        double score = 0;
    };

    [[nodiscard]] int step_of(double quality) const;
    [[nodiscard]] double share_at(const Try& one) const;
    [[nodiscard]] double predicted(int step) const;
    [[nodiscard]] bool is_near_enough() const;

    ScoreCurve curve_;
    double target_;
    double step_;  // in quality
    int lowest_;   // in steps, as all that follow
    int highest_;
    double expected_share_ = 1;
    int tried_ = 0;
    int exact_from_ = std::numeric_limits<int>::max();
    std::vector<Try> tries_;      // those that lost something, in the order of steps
    std::optional<Try> too_low_;  // the best of those that do not reach it
    std::optional<Try> enough_;   // the least of those that do
};

}  // namespace tessera::operations
