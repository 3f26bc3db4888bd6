#include "codecs/jpeg/stuffing.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::codecs {
namespace {

// How many bytes there are before the first one of ones.
std::size_t before_ones(std::span<const std::uint8_t> bytes) {
    const void* found = std::memchr(bytes.data(), 0xFF, bytes.size());
    return found == nullptr ? bytes.size()
                            : static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - bytes.data());
}

}  // namespace

std::vector<std::uint8_t> unstuffed(std::span<const std::uint8_t> bytes, std::size_t& end) {
    std::vector<std::uint8_t> coded;
    coded.reserve(bytes.size() + bit_slack);
    end = 0;
    while (end < bytes.size()) {
        const std::span piece = bytes.subspan(end, before_ones(bytes.subspan(end)));
        coded.insert(coded.end(), piece.begin(), piece.end());
        end += piece.size();
        if (end + 1 >= bytes.size() || bytes[end + 1] != 0) break;
        coded.push_back(0xFF);
        end += 2;
    }
    coded.resize(coded.size() + bit_slack);
    return coded;
}

void append_stuffed(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> coded) {
    while (!coded.empty()) {
        const std::span piece = coded.first(std::min(before_ones(coded) + 1, coded.size()));
        out.insert(out.end(), piece.begin(), piece.end());
        if (piece.back() == 0xFF) out.push_back(0);
        coded = coded.subspan(piece.size());
    }
}

BitSource::Window UnstuffedBits::more(Window left) {
    if (!begun_ && coded_.size() >= bit_slack) {
        begun_ = true;
        return {coded_.data(), coded_.data() + coded_.size()};
    }
    const std::span<const std::uint8_t> kept =
        begun_ ? std::span(left.next, static_cast<std::size_t>(left.end - left.next)) : coded_;
    std::vector<std::uint8_t> rest(kept.begin(), kept.end());
    begun_ = true;
    rest.resize(rest.size() + zeros_at_once);
    zeros_ += zeros_at_once;
    rest_ = std::move(rest);
    return {rest_.data(), rest_.data() + rest_.size()};
}

}  // namespace tessera::codecs
