#include "codecs/png/reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "codecs/png/unfilter.hpp"

namespace tessera::codecs {
namespace {

// Inflated at once: much less, and inflating spends its time on starting.
constexpr std::size_t strip_size = std::size_t{256} << 10;

template <std::size_t bands>
void look_up(const std::uint8_t* row, const PngHead& head, std::uint8_t* out) {
    const auto depth = static_cast<unsigned>(head.bit_depth);
    const unsigned mask = (1U << depth) - 1;
    for (std::uint32_t x = 0; x < head.width; ++x, out += bands) {
        const std::size_t bit = std::size_t{x} * depth;
        const unsigned index = row[bit / 8] >> (8 - depth - bit % 8) & mask;
        std::memcpy(out, head.colours[index].data(), bands);
    }
}

void swap_bytes(const std::uint8_t* row, std::size_t size, std::uint8_t* out) {
    for (std::size_t i = 0; i + 1 < size; i += 2) {
        out[i] = row[i + 1];
        out[i + 1] = row[i];
    }
}

}  // namespace

std::unique_ptr<PngReader> PngReader::open(int fd) {
    UniqueFd own(::dup(fd));
    if (!own) return nullptr;
    BufferedFile file(std::move(own));
    const auto head = read_plain_head(file);
    if (!head) return nullptr;
    return std::make_unique<PngReader>(*head, std::move(file));
}

PngReader::PngReader(const PngHead& head, BufferedFile file)
    : head_(head),
      stored_size_((std::size_t{head.width} * static_cast<std::size_t>(head.channels() * head.bit_depth) + 7) / 8),
      pixel_bytes_(std::max(1, head.channels() * head.bit_depth / 8)),
      stream_(std::move(file), head.first_pixels),
      row_(stored_size_ + unfilter_slack),
      above_(stored_size_ + unfilter_slack),
      shown_(row_size()) {
    const std::size_t rows = std::clamp<std::size_t>(strip_size / (stored_size_ + 1), 1, head.height);
    strip_.resize(rows * (stored_size_ + 1) + unfilter_slack);
}

const char* PngReader::refill() {
    const std::size_t fits = (strip_.size() - unfilter_slack) / (stored_size_ + 1);
    strip_rows_ = std::min<std::size_t>(fits, head_.height - rows_done_);
    strip_row_ = 0;
    if (const char* wrong = stream_.read(std::span(strip_).first(strip_rows_ * (stored_size_ + 1)))) return wrong;
    const bool last = rows_done_ + strip_rows_ == head_.height;
    return last ? stream_.finish() : nullptr;
}

const char* PngReader::advance() {
    if (rows_done_ == head_.height) return "no more rows";
    if (strip_row_ == strip_rows_) {
        if (const char* wrong = refill()) return wrong;
    }
    const std::uint8_t* stored = strip_.data() + strip_row_ * (stored_size_ + 1);
    std::swap(row_, above_);
    if (!unfilter(stored[0], stored + 1, above_.data(), row_.data(), stored_size_, pixel_bytes_)) {
        return "a PNG row has a filter that there is none of";
    }
    ++strip_row_;
    ++rows_done_;
    return nullptr;
}

const std::uint8_t* PngReader::shown(const std::uint8_t* row) {
    if (head_.is_looked_up()) {
        switch (bands()) {
            case 1: look_up<1>(row, head_, shown_.data()); break;
            case 3: look_up<3>(row, head_, shown_.data()); break;
            default: look_up<4>(row, head_, shown_.data()); break;
        }
        return shown_.data();
    }
    if (head_.bit_depth == 16 && std::endian::native == std::endian::little) {
        swap_bytes(row, stored_size_, shown_.data());
        return shown_.data();
    }
    return row;
}

const std::uint8_t* PngReader::next_row() {
    if (*complaint_ != '\0') return nullptr;
    if (const char* wrong = advance()) {
        complaint_ = wrong;
        return nullptr;
    }
    return shown(row_.data());
}

}  // namespace tessera::codecs
