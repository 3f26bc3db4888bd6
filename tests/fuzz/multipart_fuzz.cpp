// Input: one byte that says how to cut the rest, the boundary up to the first line feed, then the body. However it is
// cut, the parser must say the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/message/multipart.hpp"

namespace {

using namespace tessera;
using namespace tessera::http;

class Record final : public MultipartEvents {
  public:
    Result<bool> on_part(const PartHeader& header) override {
        text += "[" + header.name + "|" + header.filename.value_or("-") + "]";
        return header.name != "skip";
    }
    Result<void> on_data(std::span<const std::uint8_t> bytes) override {
        text.append(bytes.begin(), bytes.end());
        return {};
    }
    Result<void> on_part_end() override {
        text += "[end]";
        return {};
    }
    std::string text;
};

std::string parse(std::string_view boundary, std::span<const std::uint8_t> body, std::size_t piece) {
    Record record;
    MultipartParser parser(boundary, record, {.max_parts = 8, .max_header_bytes = 512, .max_ignored_bytes = 2048});
    Result<void> step;
    while (step && !body.empty()) {
        const auto part = body.first(std::min(piece, body.size()));
        step = parser.feed(part);
        body = body.subspan(part.size());
    }
    if (step) step = parser.finish();
    // How much was given before an error depends on the pieces; whether there is one does not.
    return step ? record.text : "invalid";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto boundary =
        MultipartParser::boundary_of("multipart/form-data; " + std::string(text.substr(0, text.find('\n'))));
    if (!boundary) return 0;
    const auto after = text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1;
    const auto body = std::span(data, size).subspan(1 + after);
    const auto whole = parse(*boundary, body, body.size() + 1);
    if (parse(*boundary, body, 1) != whole || parse(*boundary, body, data[0] + 1U) != whole) std::abort();
    return 0;
}
