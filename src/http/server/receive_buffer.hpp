// Received bytes of heads, and of what came in the same packets, until they are understood.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace tessera::http {

class ReceiveBuffer {
  public:
    // Holds most requests whole, and is what an idle connection keeps.
    static constexpr std::size_t idle_bytes = 2048;

    [[nodiscard]] bool empty() const { return begin_ == end_; }
    [[nodiscard]] std::span<char> unread() const { return {bytes_.get() + begin_, end_ - begin_}; }
    [[nodiscard]] std::string_view unread_text() const { return {bytes_.get() + begin_, end_ - begin_}; }
    // What was read stays where it is: it is looked at until the request has been answered.
    void read(std::size_t bytes) { begin_ += bytes; }

    // For the next request.
    void skip_blank_lines();
    void forget_read();  // keeps no more than an idle connection does, where nothing is unread
    void put_before(std::string_view bytes);

    [[nodiscard]] std::span<char> space() const { return {bytes_.get() + end_, capacity_ - end_}; }
    void add(std::size_t bytes) { end_ += bytes; }  // received into space()
    // Some space; up to `largest_head` bytes unread, and one more.
    void make_room(std::size_t largest_head);
    void clear() { begin_ = end_ = 0; }

  private:
    std::unique_ptr<char[]> bytes_ = std::make_unique_for_overwrite<char[]>(idle_bytes);
    std::size_t capacity_ = idle_bytes;
    std::size_t begin_ = 0;  // first byte not yet understood
    std::size_t end_ = 0;
};

}  // namespace tessera::http
