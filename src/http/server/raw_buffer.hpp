// Undecoded bytes of a body. Grows while a client keeps filling it, so that slow ones hold little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace tessera::http {

class RawBuffer {
  public:
    static constexpr std::size_t least_room = 16 << 10;

    // At least so much space behind what was received. Bytes that were decoded already make way.
    void make_room(std::size_t free_bytes);
    void take_rest_of(RawBuffer& other);  // what the other one did not decode

    [[nodiscard]] std::span<std::uint8_t> undecoded() const { return {data_.get() + decoded_, size_ - decoded_}; }
    void decode(std::size_t bytes) { decoded_ += bytes; }  // so many of them were
    void drop_undecoded() { size_ = decoded_; }

    [[nodiscard]] std::span<char> space() const {
        return {reinterpret_cast<char*>(data_.get()) + size_, capacity_ - size_};
    }
    void add(std::size_t bytes) { size_ += bytes; }  // received into space()
    void append(std::string_view bytes);

  private:
    std::unique_ptr<std::uint8_t[]> data_;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;     // received
    std::size_t decoded_ = 0;  // of those
};

}  // namespace tessera::http
