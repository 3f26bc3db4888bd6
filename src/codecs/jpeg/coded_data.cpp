#include "codecs/jpeg/coded_data.hpp"

#include <cstring>

namespace tessera::codecs {
namespace {

constexpr std::size_t window_size = std::size_t{64} << 10;

}  // namespace

CodedData::CodedData(JpegInput& input) : input_(&input), buffer_(window_size) {}

BitSource::Window CodedData::more(Window left) {
    const auto kept = static_cast<std::size_t>(left.end - left.next);
    if (kept > 0) std::memmove(buffer_.data(), left.next, kept);
    std::size_t filled = kept + input_->read_coded(std::span(buffer_).subspan(kept));
    if (filled < 8) {
        std::memset(buffer_.data() + filled, 0, zeros_at_once);
        filled += zeros_at_once;
        zeros_ += zeros_at_once;
    }
    return {buffer_.data(), buffer_.data() + filled};
}

}  // namespace tessera::codecs
