// GIF's compression.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

// The most that so many bytes can stand for. Each code adds one to the longest string that there can be, until the
// table is full; from then on each is worth that string.
std::int64_t most_from_lzw(int code_size, std::size_t bytes);

class LzwReader {
  public:
    // The format has no more than 8, but there are writers who take more for 256 colours.
    static constexpr int largest_first_size = 11;

    // `code_size` is from 1 to the largest. The blocks must outlive this.
    LzwReader(int code_size, FileBytes blocks);

    // Fills `out` with the next of the data. False where it is damaged, or there is less.
    bool read(std::span<std::uint8_t> out);

  private:
    static constexpr int largest_code_size = 12;
    static constexpr unsigned table_size = 1U << largest_code_size;
    static constexpr unsigned samples = 256;

    int next_code();
    bool refill_bits();
    void start_over();
    bool take_string();
    void spell(unsigned code);

    const unsigned clear_;
    const int first_size_;
    FileBytes blocks_;
    std::size_t in_block_ = 0;  // bytes of the block at the front that are left
    std::uint32_t bits_ = 0;
    int bit_count_ = 0;

    int size_ = 0;  // of a code, now
    unsigned next_ = 0;
    int previous_ = -1;
    std::array<std::uint16_t, table_size> before_{};  // a string is another string and one more sample
    std::array<std::uint8_t, table_size> last_{};
    std::array<std::uint8_t, table_size> first_{};
    std::array<std::uint16_t, table_size> length_{};

    std::array<std::uint8_t, table_size> string_{};
    std::span<const std::uint8_t> left_;  // of the string
};

}  // namespace tessera::codecs
