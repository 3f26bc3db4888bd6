#include "codecs/gif/lzw.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::codecs {

std::int64_t most_from_lzw(int code_size, std::size_t bytes) {
    auto bits = static_cast<std::int64_t>(bytes) * 8;
    int size = code_size + 1;
    if (bits < size) return 0;
    bits -= size;
    std::int64_t longest = 1;
    std::int64_t most = 1;
    for (unsigned next = (1U << code_size) + 2; next < 4096 && bits >= size;) {
        bits -= size;
        most += ++longest;
        if (++next == 1U << size && size < 12) ++size;
    }
    return most + bits / 12 * longest;
}

LzwReader::LzwReader(int code_size, FileBytes blocks)
    : clear_(1U << code_size), first_size_(code_size + 1), blocks_(blocks) {
    for (unsigned code = 0; code < clear_; ++code) {
        last_[code] = first_[code] = static_cast<std::uint8_t>(code);
        length_[code] = 1;
    }
    start_over();
}

void LzwReader::start_over() {
    size_ = first_size_;
    next_ = clear_ + 2;
    previous_ = -1;
}

bool LzwReader::refill_bits() {
    if (in_block_ == 0) {
        if (blocks_.empty() || blocks_[0] == 0) return false;
        in_block_ = blocks_[0];
        blocks_ = blocks_.subspan(1);
    }
    if (blocks_.empty()) return false;
    bits_ |= std::uint32_t{blocks_[0]} << bit_count_;
    bit_count_ += 8;
    blocks_ = blocks_.subspan(1);
    --in_block_;
    return true;
}

int LzwReader::next_code() {
    while (bit_count_ < size_) {
        if (!refill_bits()) return -1;
    }
    const auto code = static_cast<int>(bits_ & ((1U << size_) - 1));
    bits_ >>= size_;
    bit_count_ -= size_;
    return code;
}

void LzwReader::spell(unsigned code) {
    const std::size_t length = length_[code];
    for (std::size_t at = length; at-- > 0; code = before_[code]) string_[at] = last_[code];
    left_ = std::span(string_).first(length);
}

bool LzwReader::take_string() {
    int code = next_code();
    while (code == static_cast<int>(clear_)) {
        start_over();
        code = next_code();
    }
    if (code < 0 || code == static_cast<int>(clear_) + 1) return false;
    const auto wanted = static_cast<unsigned>(code);
    if (wanted < clear_ && wanted >= samples) return false;
    if (previous_ < 0) {
        if (wanted > clear_) return false;
    } else if (wanted > next_ || (wanted == next_ && next_ == table_size)) {
        return false;
    } else if (next_ < table_size) {
        const auto before = static_cast<unsigned>(previous_);
        before_[next_] = static_cast<std::uint16_t>(before);
        first_[next_] = first_[before];
        last_[next_] = wanted == next_ ? first_[before] : first_[wanted];
        length_[next_] = static_cast<std::uint16_t>(length_[before] + 1);
        ++next_;
        if (next_ == 1U << size_ && size_ < largest_code_size) ++size_;
    }
    previous_ = code;
    spell(wanted);
    return true;
}

bool LzwReader::read(std::span<std::uint8_t> out) {
    while (!out.empty()) {
        if (left_.empty() && !take_string()) return false;
        const std::size_t count = std::min(left_.size(), out.size());
        std::memcpy(out.data(), left_.data(), count);
        left_ = left_.subspan(count);
        out = out.subspan(count);
    }
    return true;
}

}  // namespace tessera::codecs
