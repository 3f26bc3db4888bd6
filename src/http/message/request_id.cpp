#include "http/message/request_id.hpp"

#include <algorithm>

namespace tessera::http {

bool RequestId::is_valid(std::string_view text) {
    return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_' ||
               c == ':' || c == '-';
    });
}

void RequestId::choose(std::string_view inbound) {
    if (is_valid(inbound)) {
        view_ = inbound;
        return;
    }
    uuid_ = Uuid::random();
    uuid_->write(made_.data());
    view_ = {made_.data(), made_.size()};
}

}  // namespace tessera::http
