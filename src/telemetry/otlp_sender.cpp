#include "telemetry/otlp_sender.hpp"

#include <curl/curl.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "core/owned.hpp"
#include "core/text.hpp"

namespace tessera::telemetry {
namespace {

constexpr std::size_t most_answer_bytes = 64 << 10;
constexpr std::size_t most_head_bytes = 64 << 10;

using Handle = Owned<CURL, curl_easy_cleanup>;
using HeaderList = Owned<curl_slist, curl_slist_free_all>;

struct Receiving {
    Answer answer;
    std::size_t head_bytes = 0;
    const std::function<bool()>* give_up = nullptr;
};

std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) {
    auto& receiving = *static_cast<Receiving*>(self);
    receiving.head_bytes += size;
    if (receiving.head_bytes > most_head_bytes) return 0;
    std::string_view line(data, size);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && lower_case(line.substr(0, colon)) == "retry-after")
        receiving.answer.retry_after = trimmed(line.substr(colon + 1));
    return size;
}

std::size_t on_body(char* data, std::size_t, std::size_t size, void* self) {
    std::string& body = static_cast<Receiving*>(self)->answer.body;
    body.append(data, std::min(size, most_answer_bytes - body.size()));
    return body.size() < most_answer_bytes ? size : 0;  // what it says beyond that is of no use
}

int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return (*static_cast<Receiving*>(self)->give_up)() ? 1 : 0;
}

CURL* new_handle() {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    return initialised == CURLE_OK ? curl_easy_init() : nullptr;
}

// One receiver, over one connection that is kept. Of one thread.
class Sender {
  public:
    Sender(const TracesConfig& config, std::string_view version)
        : endpoint_(config.endpoint), gzip_(config.gzip), handle_(new_handle()) {
        curl_slist* list = curl_slist_append(nullptr, "Content-Type: application/json");
        if (gzip_) list = curl_slist_append(list, "Content-Encoding: gzip");
        list = curl_slist_append(list, "Expect:");
        for (const std::string& header : config.headers) {
            const std::size_t equals = header.find('=');
            list = curl_slist_append(list, (header.substr(0, equals) + ": " + header.substr(equals + 1)).c_str());
        }
        headers_.reset(list);
        if (handle_) set_options("Tessera/" + std::string(version) + " (traces)");
    }

    Answer send(const std::string& text, Millis timeout, const std::function<bool()>& give_up) {
        if (!handle_) return {.status = {}, .retry_after = {}, .body = {}, .detail = "libcurl can't be used"};
        CURL* const curl = handle_.get();
        Receiving receiving{.answer = {}, .give_up = &give_up};
        const std::string packed = gzip_ ? gzipped(text) : std::string();
        const std::string& body = gzip_ ? packed : text;
        char error_text[CURL_ERROR_SIZE] = "";
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error_text);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
        for (const auto option : {CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA})
            curl_easy_setopt(curl, option, &receiving);
        const CURLcode result = curl_easy_perform(curl);
        long code = 0;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
        if (code >= 200) receiving.answer.status = static_cast<int>(code);
        if (result != CURLE_OK)
            receiving.answer.detail = error_text[0] != '\0' ? error_text : curl_easy_strerror(result);
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
        return std::move(receiving.answer);
    }

  private:
    void set_options(const std::string& user_agent) {
        CURL* const curl = handle_.get();
        curl_easy_setopt(curl, CURLOPT_URL, endpoint_.c_str());
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
        curl_easy_setopt(curl, CURLOPT_PROXY, "");  // none, whatever the environment says
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
        curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        curl_easy_setopt(curl, CURLOPT_USERAGENT, user_agent.c_str());
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
        curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
        curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    }

    const std::string endpoint_;
    const bool gzip_;
    HeaderList headers_;
    Handle handle_;
};

}  // namespace

Fate fate_of(const Answer& answer) {
    if (!answer.status) return Fate::again;
    switch (*answer.status) {
        case 429:
        case 502:
        case 503:
        case 504: return Fate::again;
        default: return *answer.status < 300 ? Fate::sent : Fate::refused;
    }
}

std::optional<Millis> wanted_pause(std::string_view retry_after, Timestamp now, Millis longest) {
    if (retry_after.empty()) return std::nullopt;
    std::int64_t seconds = 0;
    const auto [end, fault] = std::from_chars(retry_after.data(), retry_after.data() + retry_after.size(), seconds);
    if (fault == std::errc::result_out_of_range) return longest;
    if (fault != std::errc() || end != retry_after.data() + retry_after.size()) {
        const std::time_t date = curl_getdate(std::string(retry_after).c_str(), nullptr);
        if (date < 0) return std::nullopt;
        seconds = date - to_unix_seconds(now);
    }
    const auto most = std::chrono::duration_cast<std::chrono::seconds>(longest).count();
    if (seconds >= most) return longest;
    return std::chrono::seconds(std::max<std::int64_t>(0, seconds));
}

std::string gzipped(std::string_view text) {
    constexpr int with_gzip_header = 15 + 16;
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, with_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

Send otlp_sender(const TracesConfig& config, std::string_view version) {
    return [sender = std::make_shared<Sender>(config, version)](const std::string& body, Millis timeout,
                                                                const std::function<bool()>& give_up) {
        return sender->send(body, timeout, give_up);
    };
}

}  // namespace tessera::telemetry
