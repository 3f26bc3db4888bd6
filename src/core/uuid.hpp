// Uuid: 128 bits that were checked when they were made. Rows use version 7, so that new ids sort by age and land
// at the end of an index; request ids use version 4.
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

class Uuid {
  public:
    using Bytes = std::array<std::uint8_t, 16>;
    static constexpr std::size_t text_length = 36;

    Uuid() = default;  // the nil UUID
    explicit Uuid(const Bytes& bytes) : bytes_(bytes) {}

    static Uuid random();                                // version 4
    static Uuid time_ordered();                          // version 7
    static std::optional<Uuid> parse(std::string_view);  // 8-4-4-4-12 hexadecimal digits, either case

    [[nodiscard]] const Bytes& bytes() const { return bytes_; }
    [[nodiscard]] std::string to_string() const;
    void write(char* out) const;  // writes text_length characters
    // When a time-ordered one was made, since 1970 and by its maker's clock. Nothing for other versions.
    [[nodiscard]] std::optional<std::chrono::milliseconds> made_at() const;

    auto operator<=>(const Uuid&) const = default;

  private:
    Bytes bytes_{};
};

}  // namespace tessera

template <>
struct std::hash<tessera::Uuid> {
    std::size_t operator()(const tessera::Uuid& id) const noexcept;
};
