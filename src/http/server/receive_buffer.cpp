#include "http/server/receive_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::http {

// RFC 9112 asks to tolerate an empty line before a request: some clients send one after a body.
void ReceiveBuffer::skip_blank_lines() {
    while (begin_ < end_ && (bytes_[begin_] == '\r' || bytes_[begin_] == '\n')) {
        if (bytes_[begin_] == '\r' && begin_ + 1 < end_ && bytes_[begin_ + 1] != '\n') return;
        ++begin_;
    }
    if (empty()) clear();
}

void ReceiveBuffer::forget_read() {
    if (!empty()) return;
    clear();
    if (capacity_ == idle_bytes) return;
    bytes_ = std::make_unique_for_overwrite<char[]>(idle_bytes);
    capacity_ = idle_bytes;
}

void ReceiveBuffer::put_before(std::string_view bytes) {
    const std::span<const char> rest = unread();
    const std::size_t total = bytes.size() + rest.size();
    auto joined = std::make_unique_for_overwrite<char[]>(total + 1);
    std::copy(bytes.begin(), bytes.end(), joined.get());
    std::copy(rest.begin(), rest.end(), joined.get() + bytes.size());
    bytes_ = std::move(joined);
    capacity_ = total + 1;
    begin_ = 0;
    end_ = total;
}

void ReceiveBuffer::make_room(std::size_t largest_head) {
    if (end_ < capacity_) return;
    const std::span<const char> rest = unread();
    if (begin_ > 0) {
        std::memmove(bytes_.get(), rest.data(), rest.size());
    } else {
        // One byte more than the largest head, so that one too large is noticed.
        const std::size_t larger = std::max(capacity_ * 4, largest_head + 1);
        auto grown = std::make_unique_for_overwrite<char[]>(larger);
        std::memcpy(grown.get(), rest.data(), rest.size());
        bytes_ = std::move(grown);
        capacity_ = larger;
    }
    end_ = rest.size();
    begin_ = 0;
}

}  // namespace tessera::http
