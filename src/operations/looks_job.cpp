#include "operations/looks_job.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "imaging/save/drawn.hpp"
#include "imaging/save/recompress.hpp"
#include "operations/encoding_trial.hpp"
#include "operations/looks_of_file.hpp"
#include "operations/looks_target.hpp"
#include "operations/picture_job.hpp"
#include "operations/quality_search.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

using Clock = std::chrono::steady_clock;

// Of what is left, for one encoding: most are quicker than expected.
constexpr double progress_step = 0.2;

struct Attempted {
    EncodedPicture picture;
    double quality = 0;
    double score = 100;
    bool whole = true;
};

// Ways to store colour: at half resolution, where finer steps hardly add to the looks beyond the highest quality, and
// all of it (with WebP: what can be kept of it), which may take fewer bytes from the other on.
struct ColourRule {
    int highest_with_half;
    int enough_with_half;
    ScoreCurve full;
};
ColourRule colour_rule(ImageFormat format) {
    if (format == ImageFormat::webp) return {100, 74, ScoreCurve::webp};
    return {96, 86, format == ImageFormat::avif ? ScoreCurve::avif : ScoreCurve::jpeg_full_colour};
}

// Whether a quality alone, or nothing, would decide it.
bool has_choice_of_colour(const imaging::Encoding& asked) {
    return asked.format == ImageFormat::jpeg || asked.format == ImageFormat::avif || asked.format == ImageFormat::webp;
}

// Without loss and still in a time that can be told.
bool may_be_exact(ImageFormat format) {
    return format == ImageFormat::webp;
}

class Search {
  public:
    explicit Search(const LooksJob& job) : job_(job), ends_(Clock::now() + job.encoding.time_budget) {}

    JobResult<LooksResult> run() {
        std::size_t left = job_.formats.size();
        for (const ImageFormat format : job_.formats) {
            if (best_ && is_short_of_time(Clock::now(), expected(format))) {
                hurried_ = true;
                break;
            }
            if (auto done = try_format(format, left--); !done) return done.error();
        }
        return LooksResult{best_->picture, metadata()};
    }

  private:
    [[nodiscard]] bool reaches(const Attempted& one) const { return one.score >= job_.target; }

    // The smallest that reaches the target; where none does, the one that looks best.
    [[nodiscard]] bool is_better(const Attempted& one, const std::optional<Attempted>& other) const {
        if (!other || reaches(one) != reaches(*other)) return !other || reaches(one);
        return reaches(one) ? one.picture.byte_size < other->picture.byte_size : one.score > other->score;
    }

    JobResult<void> try_format(ImageFormat format, std::size_t formats_left) {
        std::optional<Attempted> found;
        const auto share = (ends_ - Clock::now()) / static_cast<std::int64_t>(formats_left * usual_tries);
        const auto budget =
            std::max(std::chrono::duration_cast<std::chrono::milliseconds>(share), std::chrono::milliseconds(1));
        if (format == ImageFormat::png || (job_.may_be_exact && may_be_exact(format))) {
            if (auto done = try_exact(format, budget, found); !done) return done;
        }
        if (format != ImageFormat::png) {
            if (auto done = search_in(format, budget, found); !done) return done;
        }
        bytes_.emplace_back(format, found->picture.byte_size);
        if (is_better(*found, best_)) {
            std::swap(best_, found);
        }
        forget(found);
        return {};
    }

    JobResult<void> try_exact(ImageFormat format, std::chrono::milliseconds budget, std::optional<Attempted>& found) {
        imaging::Encoding exact = job_.encoding;
        exact.format = format;
        exact.lossless = true;
        exact.time_budget = budget;
        auto made = job_.encode(exact, next_part());
        if (!made) return made.error();
        ++encodes_;
        made->lossless = true;
        found = Attempted{std::move(*made), 100, 100, true};
        return {};
    }

    JobResult<void> search_in(ImageFormat format, std::chrono::milliseconds budget, std::optional<Attempted>& found) {
        imaging::Encoding asked = job_.encoding;
        asked.format = format;
        asked.time_budget = budget;
        if (has_choice_of_colour(asked) && !job_.reference.is_grey()) return search_in_colour(asked, found);
        QualitySearch search(task_of(asked, curve_of(format)));
        if (auto done = choose_way_of_screens(asked, search); !done) return done;
        return search_with(asked, search, found);
    }

    // Tried where the search begins.
    JobResult<void> choose_way_of_screens(imaging::Encoding& asked, const QualitySearch& search) const {
        if (!imaging::has_way_of_screens(asked)) return {};
        asked.quality = search.next().value_or(asked.quality);
        auto pays = screen_pays(job_.reference, asked, job_.context.scratch, save_context(job_.context));
        if (!pays) return pays.error();
        asked.as_screen = *pays;
        return {};
    }

    // Colour at half resolution first, and at full where that may take fewer bytes or is needed. If a quality decided
    // it, the score would jump where it does.
    JobResult<void> search_in_colour(imaging::Encoding asked, std::optional<Attempted>& found) {
        const ColourRule rule = colour_rule(asked.format);
        double share = 1;
        QualitySearch half(task_of(asked, curve_of(asked.format), rule.highest_with_half));
        const bool is_tried = asked.format == ImageFormat::avif && asked.smallest;
        bool full_pays = false;
        if (is_tried) {
            asked.quality = half.next().value_or(asked.quality);
            auto pays = full_colour_pays(job_.reference, asked, job_.context.scratch, save_context(job_.context));
            if (!pays) return pays.error();
            full_pays = *pays;
            asked.full_colour = full_pays;
            if (auto done = choose_way_of_screens(asked, half); !done) return done;
        }
        if (!full_pays) {
            asked.full_colour = false;
            if (auto done = search_with(asked, half, found); !done) return done;
            if (found->picture.has_halved_source || found->picture.lossless) return {};
            // What has to be quick keeps the colours of WebP with care where nothing less will do.
            const bool is_quick = asked.format == ImageFormat::webp && !asked.smallest;
            if (reaches(*found) && (is_tried || is_quick || found->quality <= rule.enough_with_half)) return {};
            share = half.share_of_usual();
        }
        asked.full_colour = true;
        QualitySearch full(task_of(asked, rule.full));
        full.expect(share);
        return search_with(asked, full, found);
    }

    [[nodiscard]] QualitySearch::Task task_of(const imaging::Encoding& asked, ScoreCurve curve,
                                              int highest = 100) const {
        return {.curve = curve,
                .target = static_cast<double>(job_.target),
                .step = imaging::finest_step(asked),
                .highest = highest};
    }

    JobResult<void> search_with(imaging::Encoding asked, QualitySearch& search, std::optional<Attempted>& found) {
        Clock::duration longest{0};
        for (auto quality = search.next(); quality; quality = search.next()) {
            const auto begun = Clock::now();
            if (found && is_short_of_time(begun, longest)) {
                hurried_ = true;
                return {};
            }
            asked.quality = *quality;
            auto one = attempt(asked);
            if (!one) return one.error();
            longest = std::max(longest, Clock::now() - begun);
            search.tried(*quality, one->score);
            const bool lost_to_another_format = has_lost(*one, best_);
            const bool lost = has_lost(*one, found);
            keep_better(std::move(*one), found);
            if (lost_to_another_format) return {};
            if (lost) break;
        }
        return search_beside(asked, search, longest, found);
    }

    // Where what was found is far over the target, something smaller may lie beside it.
    JobResult<void> search_beside(imaging::Encoding asked, const QualitySearch& search, Clock::duration longest,
                                  std::optional<Attempted>& found) {
        if (found->picture.lossless || !search.has_tried(found->quality)) return {};
        constexpr int most_tries = 8;
        const double near_enough = job_.target + QualitySearch::far_over;
        const std::vector<double> qualities = search.beside(found->quality);
        int tries = 0;
        for (asked.way = 0; asked.way < imaging::ways_of(asked); ++asked.way) {
            for (const double quality : qualities) {
                if (found->score <= near_enough || tries == most_tries || is_short_of_time(Clock::now(), longest)) {
                    return {};
                }
                if (asked.way == 0 && search.has_tried(quality)) continue;
                asked.quality = quality;
                auto one = attempt(asked);
                if (!one) return one.error();
                ++tries;
                keep_better(std::move(*one), found);
            }
        }
        return {};
    }

    void keep_better(std::optional<Attempted> one, std::optional<Attempted>& found) const {
        if (is_better(*one, found)) std::swap(found, one);
        forget(one);
    }

    // What is already larger than another one that looks better.
    [[nodiscard]] bool has_lost(const Attempted& one, const std::optional<Attempted>& other) const {
        return other && reaches(*other) && !reaches(one) && one.picture.byte_size >= other->picture.byte_size;
    }

    JobResult<Attempted> attempt(const imaging::Encoding& asked) {
        auto made = job_.encode(asked, next_part());
        if (!made) return made.error();
        ++encodes_;
        if (made->lossless) return Attempted{std::move(*made), asked.quality, 100, true};
        const auto compared = looks_of_file(job_.reference, job_.context.scratch / made->file, made->format);
        if (!compared) return compared.error();
        return Attempted{std::move(*made), asked.quality, compared->score, compared->whole};
    }

    void forget(const std::optional<Attempted>& one) const {
        if (!one) return;
        std::error_code ignored;
        std::filesystem::remove(job_.context.scratch / one->picture.file, ignored);
    }

    [[nodiscard]] bool is_short_of_time(Clock::time_point now, Clock::duration needed) const {
        return now + needed + needed / 4 > ends_;
    }

    [[nodiscard]] Clock::duration expected(ImageFormat format) const {
        imaging::Encoding encoding = job_.encoding;
        encoding.format = format;
        const double seconds =
            imaging::expected_seconds(encoding, job_.reference.width(), job_.reference.height()) / encoding.threads;
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    imaging::Report next_part() {
        const double from = progress_;
        progress_ += (1 - progress_) * progress_step;
        return imaging::part_of(job_.progress, from, progress_);
    }

    [[nodiscard]] json::object metadata() const {
        json::object told{{"target", job_.target},
                          {"score", std::round(best_->score * 100) / 100},
                          {"target_reached", reaches(*best_)},
                          {"encodes", encodes_},
                          {"lossless", best_->picture.lossless}};
        if (!best_->picture.lossless) told["quality"] = std::lround(best_->quality);
        if (!best_->picture.lossless) told["compared"] = best_->whole ? "whole" : "sixteen parts";
        if (hurried_) told["search"] = "ended early: time was short";
        if (job_.formats.size() > 1) {
            for (const auto& [format, bytes] : bytes_) told[std::string(to_string(format)) + "_bytes"] = bytes;
            told["chosen_because"] = why();
        }
        return told;
    }

    [[nodiscard]] std::string why() const {
        if (bytes_.size() == 1) return "the only format that holds it";
        if (!reaches(*best_)) return "no format reached the target, it came nearest";
        if (best_->picture.lossless) return "the smallest file, and exact";
        return "the smallest file that reached the target";
    }

    const LooksJob& job_;
    double progress_ = 0;
    Clock::time_point ends_;
    std::optional<Attempted> best_;
    std::vector<std::pair<ImageFormat, std::int64_t>> bytes_;
    int encodes_ = 0;
    bool hurried_ = false;
};

// Among those that lose something, png is only for what it holds well.
std::vector<ImageFormat> formats_for(const json::object& options, const imaging::Image& reference, bool is_drawn) {
    if (!is_automatic_format(options)) return {format_option(options)};
    std::vector<ImageFormat> formats = automatic_formats(reference.width(), reference.height(), reference.has_alpha());
    if (!is_drawn && formats.size() > 1) std::erase(formats, ImageFormat::png);
    return formats;
}

}  // namespace

LooksJob looks_job(const RunContext& context, const json::object& options, const imaging::Image& reference,
                   const imaging::Encoding& encoding, EncodeOnce encode) {
    const bool is_drawn = imaging::looks_drawn(reference);
    return {context,
            reference,
            target_of(options).value_or(high_target),
            formats_for(options, reference, is_drawn),
            std::move(encode),
            encoding,
            is_drawn || reference.has_alpha(),
            context.progress};
}

JobResult<LooksResult> run_to_target(const LooksJob& job) {
    return Search(job).run();
}

}  // namespace tessera::operations
