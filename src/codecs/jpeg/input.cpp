#include "codecs/jpeg/input.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "codecs/jpeg/markers.hpp"

namespace tessera::codecs {
namespace {

constexpr std::size_t read_size = std::size_t{64} << 10;

}  // namespace

JpegInput::JpegInput(UniqueFd file) : file_(std::move(file)), buffer_(read_size) {}

bool JpegInput::refill() {
    ssize_t got = 0;
    do {
        got = ::pread(file_.get(), buffer_.data(), buffer_.size(), offset_);
    } while (got < 0 && errno == EINTR);
    at_ = 0;
    size_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    offset_ += static_cast<off_t>(size_);
    ended_ = size_ == 0;
    return !ended_;
}

int JpegInput::next_byte() {
    if (at_ == size_ && !refill()) return -1;
    return buffer_[at_++];
}

std::optional<std::uint8_t> JpegInput::next_marker() {
    if (found_) return std::exchange(found_, std::nullopt);
    while (true) {
        if (at_ == size_ && !refill()) return std::nullopt;
        const void* start = std::memchr(buffer_.data() + at_, 0xFF, size_ - at_);
        if (start == nullptr) {
            at_ = size_;
            continue;
        }
        at_ = static_cast<std::size_t>(static_cast<const std::uint8_t*>(start) - buffer_.data());
        if (!is_stuffed()) return std::exchange(found_, std::nullopt);
    }
}

std::optional<std::uint8_t> JpegInput::next_marker_after_scan() {
    std::optional<std::uint8_t> marker = next_marker();
    while (marker && is_restart(*marker)) marker = next_marker();
    return marker;
}

bool JpegInput::read_segment(std::vector<std::uint8_t>& body) {
    const int high = next_byte();
    const int low = next_byte();
    const int length = high * 256 + low;
    if (high < 0 || low < 0 || length < 2) return false;
    body.resize(static_cast<std::size_t>(length) - 2);
    for (std::size_t done = 0; done < body.size();) {
        if (at_ == size_ && !refill()) return false;
        const std::size_t count = std::min(size_ - at_, body.size() - done);
        std::memcpy(body.data() + done, buffer_.data() + at_, count);
        at_ += count;
        done += count;
    }
    return true;
}

// At a byte of ones: past it where it only stands for itself. Otherwise past the marker, which is then in `found_`, or
// at the file's end.
bool JpegInput::is_stuffed() {
    int byte = 0xFF;
    while (byte == 0xFF) byte = next_byte();
    if (byte > 0) found_ = static_cast<std::uint8_t>(byte);
    return byte == 0;
}

std::size_t JpegInput::read_coded(std::span<std::uint8_t> out) {
    std::size_t done = 0;
    while (done < out.size() && !found_) {
        if (at_ == size_ && !refill()) break;
        const std::size_t most = std::min(size_ - at_, out.size() - done);
        const std::uint8_t* from = buffer_.data() + at_;
        const void* ones = std::memchr(from, 0xFF, most);
        const auto plain =
            ones == nullptr ? most : static_cast<std::size_t>(static_cast<const std::uint8_t*>(ones) - from);
        std::memcpy(out.data() + done, from, plain);
        at_ += plain;
        done += plain;
        if (ones == nullptr) continue;
        if (!is_stuffed()) break;
        out[done++] = 0xFF;
    }
    return done;
}

}  // namespace tessera::codecs
