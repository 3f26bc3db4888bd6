#include "core/uuid.hpp"

#include <array>
#include <cstring>

#include "core/hex.hpp"
#include "core/random.hpp"

namespace tessera {
namespace {

// Digits alone, and with dashes between groups of 8, 4, 4, 4 and 12 of them. Copies of known lengths, since ids are
// read and written on every request.
using Digits = std::array<char, 32>;

void put_dashes(const Digits& digits, char* out) {
    std::memcpy(out, digits.data(), 8);
    std::memcpy(out + 9, digits.data() + 8, 4);
    std::memcpy(out + 14, digits.data() + 12, 4);
    std::memcpy(out + 19, digits.data() + 16, 4);
    std::memcpy(out + 24, digits.data() + 20, 12);
    out[8] = out[13] = out[18] = out[23] = '-';
}

bool take_dashes(const char* text, Digits& digits) {
    std::memcpy(digits.data(), text, 8);
    std::memcpy(digits.data() + 8, text + 9, 4);
    std::memcpy(digits.data() + 12, text + 14, 4);
    std::memcpy(digits.data() + 16, text + 19, 4);
    std::memcpy(digits.data() + 20, text + 24, 12);
    return text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
}

void mark(Uuid::Bytes& bytes, unsigned version) {
    bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | (version << 4));
    bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
}

}  // namespace

Uuid Uuid::random() {
    Bytes bytes;
    fill_random(bytes);
    mark(bytes, 4);
    return Uuid(bytes);
}

Uuid Uuid::time_ordered() {
    Bytes bytes;
    fill_random(bytes);
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    const auto nanos =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
    constexpr std::uint64_t per_milli = 1'000'000;
    // The 12 bits beside the version are 4096ths of the millisecond: what is made one after the other sorts so.
    std::uint64_t time = nanos / per_milli << 16 | nanos % per_milli * 4096 / per_milli;
    for (std::size_t i = 8; i-- > 0; time >>= 8) bytes[i] = static_cast<std::uint8_t>(time & 0xff);
    mark(bytes, 7);
    return Uuid(bytes);
}

std::optional<Uuid> Uuid::parse(std::string_view text) {
    if (text.size() != text_length) return std::nullopt;
    Digits digits;
    Bytes bytes;
    if (!take_dashes(text.data(), digits) || !from_hex({digits.data(), digits.size()}, bytes)) return std::nullopt;
    return Uuid(bytes);
}

void Uuid::write(char* out) const {
    Digits digits;
    write_hex(bytes_, digits.data());
    put_dashes(digits, out);
}

std::optional<std::chrono::milliseconds> Uuid::made_at() const {
    if (bytes_[6] >> 4 != 7 || bytes_[8] >> 6 != 2) return std::nullopt;
    std::int64_t millis = 0;
    for (std::size_t i = 0; i < 6; ++i) millis = millis << 8 | bytes_[i];
    return std::chrono::milliseconds(millis);
}

std::string Uuid::to_string() const {
    std::string text(text_length, '\0');
    write(text.data());
    return text;
}

}  // namespace tessera

std::size_t std::hash<tessera::Uuid>::operator()(const tessera::Uuid& id) const noexcept {
    // The last eight bytes are random in every version that we make.
    std::uint64_t tail = 0;
    std::memcpy(&tail, id.bytes().data() + 8, sizeof tail);
    std::uint64_t head = 0;
    std::memcpy(&head, id.bytes().data(), sizeof head);
    return static_cast<std::size_t>(tail ^ (head * 0x9e3779b97f4a7c15ULL));
}
