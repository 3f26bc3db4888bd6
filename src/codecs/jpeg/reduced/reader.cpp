#include "codecs/jpeg/reduced/reader.hpp"

#include <unistd.h>

#include <algorithm>

#include "codecs/jpeg/reduced/colour.hpp"
#include "codecs/jpeg/reduced/transform.hpp"

namespace tessera::codecs {
namespace {

constexpr const char* ends_early = "JPEG data ends early";
constexpr const char* damaged = "JPEG data is damaged";

// What the coefficients of a picture may take that can't be had row by row. Others are left to libjpeg.
constexpr std::int64_t most_held_bytes = std::int64_t{256} << 20;

constexpr int most_scans = 200;

int divided_up(int value, int by) {
    return (value + by - 1) / by;
}

}  // namespace

ReducedJpeg::ReducedJpeg(UniqueFd file, int shrink) : input_(std::move(file)), shrink_(shrink) {}

std::unique_ptr<ReducedJpeg> ReducedJpeg::open(int fd, int shrink) {
    UniqueFd own(::dup(fd));
    if (!own || (shrink != 2 && shrink != 4 && shrink != 8)) return nullptr;
    std::unique_ptr<ReducedJpeg> reader(new ReducedJpeg(std::move(own), shrink));
    auto beginning = read_jpeg_beginning(reader->input_);
    if (!beginning) return nullptr;
    reader->head_ = std::move(beginning->head);
    reader->tables_ = beginning->tables;
    reader->scan_ = std::move(beginning->scan);
    return reader->prepare() ? std::move(reader) : nullptr;
}

bool ReducedJpeg::prepare() {
    if (!head_.progressive && !SequentialScan::can(tables_, scan_)) return false;
    streams_ = !head_.progressive && scan_.components.size() == head_.components.size();
    const int held_rows = streams_ ? 1 : head_.mcus_down;
    std::int64_t bytes = head_.progressive ? ProgressiveScans::bytes(head_) : 0;
    for (const JpegComponent& component : head_.components) {
        const auto size = reduced_block(head_, component, shrink_);
        if (!size) return false;
        bytes += ReducedComponent::bytes(head_, component, *size, held_rows);
    }
    if (!streams_ && bytes > most_held_bytes) return false;
    width_ = divided_up(head_.width, shrink_);
    height_ = divided_up(head_.height, shrink_);
    strip_rows_ = 8 / shrink_ * head_.vertical;
    components_.reserve(head_.components.size());
    for (const JpegComponent& component : head_.components) {
        const ReducedComponent& made =
            components_.emplace_back(head_, component, *reduced_block(head_, component, shrink_), held_rows);
        Samples& samples = samples_.emplace_back();
        samples.stride = made.stride() * static_cast<std::size_t>(made.size().across);
        samples.rows.resize(samples.stride * static_cast<std::size_t>(strip_rows_));
    }
    if (head_.progressive) progressive_.emplace(head_, components_);
    return true;
}

const char* ReducedJpeg::read_scan() {
    for (const JpegScan::Component& component : scan_.components) {
        ReducedComponent& reduced = components_[component.component];
        if (!reduced.has_quantisation_table())
            reduced.set_quantisation_table(
                *tables_.quantisation_tables[head_.components[component.component].quantisation_table]);
    }
    if (progressive_) {
        const ScanEnd end = progressive_->read(input_, tables_, scan_);
        return end == ScanEnd::done ? nullptr : end == ScanEnd::ends_early ? ends_early : damaged;
    }
    if (!SequentialScan::can(tables_, scan_)) return damaged;
    if (streams_) {
        only_scan_.emplace(input_, head_, tables_, scan_, components_);
        return nullptr;
    }
    SequentialScan scan(input_, head_, tables_, scan_, components_);
    for (int row = 0; row < scan.rows(); ++row) {
        if (!scan.decode_row(row)) return ends_early;
    }
    return nullptr;
}

const char* ReducedJpeg::read_all_scans() {
    for (int scans = 1; scans <= most_scans; ++scans) {
        if (const char* wrong = read_scan()) return wrong;
        if (streams_) return nullptr;
        switch (read_to_next_scan(input_, head_, tables_, scan_)) {
            case HeadEnd::scan: break;
            case HeadEnd::picture: return nullptr;
            case HeadEnd::file: return ends_early;
            case HeadEnd::unsuitable: return damaged;
        }
    }
    return "too many scans";
}

const char* ReducedJpeg::next_strip() {
    if (strip_ < 0) {
        if (const char* wrong = read_all_scans()) return wrong;
    }
    ++strip_;
    if (streams_) {
        for (ReducedComponent& component : components_) component.clear();
        if (!only_scan_->decode_row(0)) return ends_early;
        // libjpeg looks some bytes ahead, and so knows of a file that ends just after its last block.
        constexpr int look_ahead = 64;
        if (strip_ + 1 == head_.mcus_down && input_.ended() && only_scan_->unread_bits() < look_ahead)
            return ends_early;
    }
    for (std::size_t i = 0; i < components_.size(); ++i) {
        const int factor = head_.components[i].vertical;
        const int first = (streams_ ? 0 : strip_) * factor;
        const auto block_rows = samples_[i].stride * static_cast<std::size_t>(components_[i].size().down);
        for (int row = 0; row < factor; ++row) {
            transform_row(components_[i], first + row,
                          samples_[i].rows.data() + block_rows * static_cast<std::size_t>(row), samples_[i].stride);
        }
    }
    return nullptr;
}

void ReducedJpeg::show(std::uint8_t* out) const {
    const auto row = static_cast<std::size_t>(next_row_ % strip_rows_);
    const auto width = static_cast<std::size_t>(width_);
    const auto samples = [&](std::size_t component) {
        return samples_[component].rows.data() + samples_[component].stride * row;
    };
    if (components_.size() == 1) {
        std::copy_n(samples(0), width, out);
    } else if (head_.is_rgb) {
        interleave(samples(0), samples(1), samples(2), width, out);
    } else {
        rgb_from_ycbcr(samples(0), samples(1), samples(2), width, out);
    }
}

bool ReducedJpeg::next_row(std::uint8_t* out) {
    if (*complaint_ == '\0' && next_row_ == height_) complaint_ = "no more rows";
    if (*complaint_ == '\0' && next_row_ % strip_rows_ == 0) {
        if (const char* wrong = next_strip()) complaint_ = wrong;
    }
    if (*complaint_ != '\0') return false;
    show(out);
    ++next_row_;
    return true;
}

}  // namespace tessera::codecs
