// Input: one byte that says how to cut the rest, then what a client sends. However it is cut, the same requests come
// out before the end or the first refusal (which may come later when the bytes do), and no byte is read beyond them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "http/message/parser.hpp"

namespace {

using namespace tessera::http;
using Progress = RequestParser::Progress;

// One request after the other, as a connection reads them.
std::string read_all(std::string_view sent, std::size_t piece) {
    constexpr ParserLimits limits{.max_head_bytes = 512, .max_target_bytes = 128, .max_headers = 16};
    RequestParser parser(limits);
    std::string seen;
    std::vector<char> head;  // exactly as large as what it holds, so that a sanitizer notices reading beyond
    std::size_t at = 0;
    const auto more = [&](auto& buffer) {
        const std::size_t count = std::min(piece, sent.size() - at);
        buffer.reserve(buffer.size() + count);
        buffer.insert(buffer.end(), sent.begin() + static_cast<std::ptrdiff_t>(at),
                      sent.begin() + static_cast<std::ptrdiff_t>(at + count));
        buffer.shrink_to_fit();
        at += count;
        return count > 0;
    };
    for (;;) {
        Progress progress = parser.parse_head({head.data(), head.size()});
        while (progress == Progress::need_more) {
            if (!more(head)) return seen;
            progress = parser.parse_head({head.data(), head.size()});
        }
        if (progress == Progress::failed) return seen;
        seen.append(parser.method()).append(" ").append(parser.target());
        for (const HeaderView& header : parser.headers())
            seen.append("|").append(header.name).append(":").append(header.value);
        if (parser.content_length().value_or(0) > 0 && parser.chunked()) std::abort();
        std::vector<std::uint8_t> raw(head.begin() + static_cast<std::ptrdiff_t>(parser.head_size()), head.end());
        std::string body;
        while (!parser.body_done()) {
            const auto step = parser.parse_body(raw);
            body.append(step.data.begin(), step.data.end());
            raw.erase(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(step.consumed));
            if (step.progress == Progress::failed) return seen;
            if (!parser.body_done() && !more(raw)) return seen;
        }
        seen.append("[").append(body).append("]");
        head.assign(raw.begin(), raw.end());
        parser.reset();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string_view sent(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::string whole = read_all(sent, sent.size() + 1);
    if (read_all(sent, 1) != whole || read_all(sent, data[0] + 1U) != whole) std::abort();
    return 0;
}
