#include "app/remote/events.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tessera::remote {

void EventParser::take_line(std::string_view line, std::vector<Event>& out) {
    if (std::exchange(first_line_, false) && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    if (line.empty()) {
        if (has_data_) {
            data_.pop_back();  // the last line's \n
            out.push_back({name_.empty() ? "message" : std::move(name_), std::move(data_), last_id_});
        }
        name_.clear();
        data_.clear();
        has_data_ = false;
        return;
    }
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") {
        name_ = value;
    } else if (field == "data") {
        data_.append(value) += '\n';
        has_data_ = true;
    } else if (field == "id") {
        if (value.find('\0') == std::string_view::npos) last_id_ = value;
    } else if (field == "retry") {
        std::int64_t millis = 0;
        const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), millis);
        if (failed == std::errc() && end == value.data() + value.size() && millis >= 0)
            retry_ = std::chrono::milliseconds(millis);
    }
}

std::vector<Event> EventParser::feed(std::string_view bytes) {
    std::vector<Event> out;
    for (const char c : bytes) {
        if (std::exchange(after_cr_, false) && c == '\n') continue;
        if (c == '\n' || c == '\r') {
            after_cr_ = c == '\r';
            take_line(line_, out);
            line_.clear();
        } else {
            line_ += c;
        }
    }
    return out;
}

void EventParser::start_over() {
    line_.clear();
    name_.clear();
    data_.clear();
    has_data_ = false;
    after_cr_ = false;
    first_line_ = true;
}

}  // namespace tessera::remote
