#include "webhooks/transfer.hpp"

#include <sys/socket.h>

#include <algorithm>

#include "core/text.hpp"
#include "webhooks/address_rules.hpp"

namespace tessera::webhooks {
namespace {

constexpr std::size_t most_head_bytes = 64 << 10;
constexpr std::size_t most_body_bytes = 16 << 10;  // then the connection is closed
constexpr std::size_t kept_response_bytes = 500;

// The answer is somebody else's text: no control characters, and nothing that a database could refuse.
char printable(char c) {
    if (c == '\n' || c == '\t') return ' ';
    return c >= 0x20 && c < 0x7f ? c : '?';
}

}  // namespace

Transfer::Transfer(Outgoing message, const TransferRules& rules, Done done)
    : message_(std::move(message)), rules_(rules), done_(std::move(done)), handle_(curl_easy_init()) {
    curl_slist* list = nullptr;
    for (const std::string& header : message_.headers) list = curl_slist_append(list, header.c_str());
    list = curl_slist_append(list, "Expect:");
    headers_.reset(list);
    if (handle_) set_options();
}

void Transfer::set_options() {
    CURL* const curl = handle_.get();
    curl_easy_setopt(curl, CURLOPT_PRIVATE, this);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error_text_);
    curl_easy_setopt(curl, CURLOPT_URL, message_.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, rules_.require_https ? "https" : "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");  // none, whatever the environment says
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    // A resolver that hangs is left to itself when the time is over; nobody waits for it.
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(rules_.timeout.count()));
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(curl, CURLOPT_USERAGENT, rules_.user_agent.c_str());
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, message_.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(message_.body.size()));
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
}

// The address that is looked at is the one that is connected to: a name that resolves otherwise a moment later gains
// nothing.
curl_socket_t Transfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
    auto& transfer = *static_cast<Transfer*>(self);
    const auto target = address_in(address->addr);
    if (!target || (!transfer.rules_.allow_private_addresses && !is_public(*target))) {
        transfer.refused_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t Transfer::on_header(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.head_bytes_ += size;
    if (transfer.head_bytes_ > most_head_bytes) return 0;
    std::string_view line(data, size);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && lower_case(line.substr(0, colon)) == "retry-after")
        transfer.retry_after_ = trimmed(line.substr(colon + 1));
    return size;
}

std::size_t Transfer::on_body(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::size_t room = kept_response_bytes - std::min(kept_response_bytes, transfer.response_.size());
    for (const char c : std::string_view(data, std::min(size, room))) transfer.response_ += printable(c);
    transfer.body_bytes_ += size;
    return transfer.body_bytes_ > most_body_bytes ? 0 : size;
}

// An answer counts from its head on: what it says after that, and how slowly, changes nothing.
std::string_view Transfer::why(CURLcode result, std::optional<int> status) const {
    if (head_bytes_ > most_head_bytes) return failure::bad_response;
    if (status) {
        if (*status >= 200 && *status < 300) return {};
        return *status >= 300 && *status < 400 ? failure::redirect : failure::http_status;
    }
    if (refused_) return failure::address_refused;
    switch (result) {
        case CURLE_OPERATION_TIMEDOUT: return failure::timeout;
        case CURLE_COULDNT_RESOLVE_HOST: return failure::name_not_resolved;
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE: return failure::tls_failed;
        case CURLE_WEIRD_SERVER_REPLY: return failure::bad_response;
        // Either https is required by now, or what came back is no HTTP.
        case CURLE_UNSUPPORTED_PROTOCOL:
            return rules_.require_https && message_.url.starts_with("http:") ? failure::address_refused
                                                                             : failure::bad_response;
        default: return failure::connection_failed;
    }
}

void Transfer::end(CURLcode result) {
    long code = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
    Outcome outcome;
    // The head of an interim answer is none.
    if (code >= 200) outcome.status = static_cast<int>(code);
    outcome.error = why(result, outcome.status);
    if (!outcome.error.empty() && !outcome.status)
        outcome.detail = error_text_[0] != '\0' ? error_text_ : curl_easy_strerror(result);
    outcome.response = std::move(response_);
    outcome.retry_after = std::move(retry_after_);
    outcome.duration = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begun_);
    done_(std::move(outcome));
}

}  // namespace tessera::webhooks
