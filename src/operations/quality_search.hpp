// Which quality reaches a score: the smallest, found in few tries. Higher qualities score higher; how much differs from
// picture to picture, but curves of one format are alike in shape.
#pragma once

#include <optional>

#include "core/image_format.hpp"

namespace tessera::operations {

class QualitySearch {
  public:
    static constexpr int most_tries = 6;

    QualitySearch(ImageFormat format, double target) : format_(format), target_(target) {}

    // What to try next; nothing when that is known, can't be known better, or was tried often enough.
    [[nodiscard]] std::optional<int> next() const;
    void tried(int quality, double score);

    [[nodiscard]] int tries() const { return tries_; }
    [[nodiscard]] bool reached() const { return enough_.has_value(); }

  private:
    struct Try {
        int quality = 0;
        double score = 0;
    };

    [[nodiscard]] double by_the_curve(const Try& from) const;

    ImageFormat format_;
    double target_;
    int tries_ = 0;
    std::optional<Try> too_low_;  // the best of those that do not reach it
    std::optional<Try> enough_;   // the least of those that do
    std::optional<Try> before_;   // the last one on the same side, for a line through both
};

}  // namespace tessera::operations
