#include "http/message/accept.hpp"

#include <algorithm>
#include <charconv>

#include "http/message/header_lines.hpp"
#include "http/message/header_parameters.hpp"

namespace tessera::http {
namespace {

double quality_of(const ParameterisedValue& item) {
    const std::string* text = item.find("q");
    if (text == nullptr) return 1;
    double quality = 0;
    std::from_chars(text->data(), text->data() + text->size(), quality);
    return quality;
}

// Whether an item of the list is this one, and not refused.
bool names(std::span<const HeaderView> headers, std::string_view list, std::string_view wanted) {
    ListFromEnd items(headers, list);
    while (const auto text = items.next()) {
        const auto item = parse_parameterised(*text);
        if (item && item->token == wanted) return quality_of(*item) > 0;
    }
    return false;
}

}  // namespace

bool accepts_problem_details(std::span<const HeaderView> headers) {
    double problem = 0;
    double json = 0;
    ListFromEnd items(headers, "Accept");
    while (const auto text = items.next()) {
        const auto item = parse_parameterised(*text);
        if (!item) continue;
        if (item->token == "application/problem+json") problem = quality_of(*item);
        if (item->token == "application/json") json = quality_of(*item);
    }
    return problem > 0 && problem >= json;
}

bool accepts_open_metrics(std::span<const HeaderView> headers) {
    double open_metrics = 0;
    double plain = 0;
    ListFromEnd items(headers, "Accept");
    while (const auto text = items.next()) {
        const auto item = parse_parameterised(*text);
        if (!item) continue;
        const std::string* version = item->find("version");
        if (item->token == "application/openmetrics-text" && (version == nullptr || *version == "1.0.0"))
            open_metrics = std::max(open_metrics, quality_of(*item));
        if (item->token == "text/plain") plain = std::max(plain, quality_of(*item));
    }
    return open_metrics > 0 && open_metrics >= plain;
}

bool accepts_json_ld(std::span<const HeaderView> headers) {
    return names(headers, "Accept", "application/ld+json");
}

bool accepts_html(std::span<const HeaderView> headers) {
    return names(headers, "Accept", "text/html");
}

bool accepts_encoding(std::span<const HeaderView> headers, std::string_view coding) {
    return names(headers, "Accept-Encoding", coding);
}

}  // namespace tessera::http
