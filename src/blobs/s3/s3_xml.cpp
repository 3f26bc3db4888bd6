#include "blobs/s3/s3_xml.hpp"

#include <array>
#include <utility>

namespace tessera::blobs {

namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
    {{"&quot;", '"'}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}}};

std::string decoded(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        bool found = false;
        for (const auto& [name, character] : entities) {
            if (!text.starts_with(name)) continue;
            out += character;
            text.remove_prefix(name.size());
            found = true;
            break;
        }
        if (found) continue;
        out += text.front();
        text.remove_prefix(1);
    }
    return out;
}

}  // namespace

void for_each_xml(std::string_view document, std::string_view element,
                  const std::function<void(std::string_view)>& visit) {
    const std::string open = "<" + std::string(element) + ">";
    const std::string close = "</" + std::string(element) + ">";
    for (;;) {
        const auto begin = document.find(open);
        if (begin == std::string_view::npos) return;
        document.remove_prefix(begin + open.size());
        const auto end = document.find(close);
        if (end == std::string_view::npos) return;
        visit(document.substr(0, end));
        document.remove_prefix(end + close.size());
    }
}

std::string xml_text(std::string_view document, std::string_view element) {
    const std::string open = "<" + std::string(element) + ">";
    const auto begin = document.find(open);
    if (begin == std::string_view::npos) return "";
    document.remove_prefix(begin + open.size());
    const auto end = document.find('<');
    return decoded(document.substr(0, end));
}

}  // namespace tessera::blobs
