#include "app/remote/transfers.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace tessera::remote {
namespace {

constexpr std::size_t most_head_bytes = 64 << 10;
constexpr std::size_t most_body_bytes = 64 << 20;  // of what is collected
constexpr long connect_timeout_ms = 15'000;

CURLM* new_multi() {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    static_cast<void>(initialised);
    return curl_multi_init();
}

// What no second try makes good.
bool may_pass(CURLcode result) {
    switch (result) {
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_URL_MALFORMAT:
        case CURLE_ABORTED_BY_CALLBACK:
        case CURLE_FILESIZE_EXCEEDED: return false;
        default: return true;
    }
}

}  // namespace

struct Transfers::Transfer {
    Transfers& owner;
    Request request;
    Done done;
    Answer answer{};
    std::uint64_t sent = 0;
    std::size_t head_bytes = 0;
    bool sink_refused = false;
    char error_text[CURL_ERROR_SIZE] = "";
    Owned<curl_slist, curl_slist_free_all> headers{};
    Owned<curl_mime, curl_mime_free> form{};
    Owned<CURL, curl_easy_cleanup> handle{curl_easy_init()};
};

Transfers::Transfers(std::string user_agent) : user_agent_(std::move(user_agent)), multi_(new_multi()) {}

Transfers::~Transfers() {
    drop_all();
}

std::size_t Transfers::on_header(char* data, std::size_t, std::size_t size, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    transfer.head_bytes += size;
    if (transfer.head_bytes > most_head_bytes) return 0;
    std::string_view line(data, size);
    if (line.starts_with("HTTP/")) {
        transfer.answer.headers.clear();  // of an interim answer
        return size;
    }
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return size;
    transfer.answer.headers[lower_case(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    return size;
}

std::size_t Transfers::on_body(char* data, std::size_t, std::size_t size, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    transfer.owner.received_ += size;
    long status = 0;
    curl_easy_getinfo(transfer.handle.get(), CURLINFO_RESPONSE_CODE, &status);
    if (transfer.request.sink && status >= 200 && status < 300) {
        transfer.sink_refused = !transfer.request.sink({data, size});
        return transfer.sink_refused ? 0 : size;
    }
    if (transfer.answer.body.size() + size > most_body_bytes) return 0;
    transfer.answer.body.append(data, size);
    return size;
}

std::size_t Transfers::on_send(char* out, std::size_t, std::size_t room, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    const FilePart& file = *transfer.request.file;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(room, file.size - transfer.sent));
    if (wanted == 0) return 0;
    ssize_t got = 0;
    do {
        got = ::pread(file.fd, out, wanted, static_cast<off_t>(transfer.sent));
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return CURL_READFUNC_ABORT;  // it became shorter
    transfer.sent += static_cast<std::uint64_t>(got);
    transfer.owner.sent_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
}

int Transfers::on_seek(void* context, curl_off_t offset, int origin) {
    auto& transfer = *static_cast<Transfer*>(context);
    if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_FAIL;
    transfer.sent = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
}

void Transfers::set_options(Transfer& transfer) {
    CURL* const curl = transfer.handle.get();
    const Request& request = transfer.request;
    curl_slist* list = nullptr;
    for (const std::string& header : request.headers) list = curl_slist_append(list, header.c_str());
    transfer.headers.reset(list);

    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, transfer.error_text);
    curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);  // a key goes to the service that it is for, and nowhere else
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.stall.count()));
    curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, user_agent_.c_str());
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, transfer.headers.get());
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    if (request.file) {
        transfer.form.reset(curl_mime_init(curl));
        curl_mimepart* part = curl_mime_addpart(transfer.form.get());
        curl_mime_name(part, "file");
        curl_mime_filename(part, request.file->name.c_str());
        curl_mime_type(part, "application/octet-stream");
        curl_mime_data_cb(part, static_cast<curl_off_t>(request.file->size), on_send, on_seek, nullptr, &transfer);
        curl_easy_setopt(curl, CURLOPT_MIMEPOST, transfer.form.get());
        curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 512L * 1024);
    } else if (request.method == "POST") {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    } else if (request.method != "GET") {
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
}

void Transfers::start(Request request, Done done) {
    auto transfer = std::make_unique<Transfer>(Transfer{*this, std::move(request), std::move(done)});
    CURL* const handle = transfer->handle.get();
    if (transfer->request.restart && !transfer->request.restart()) {
        // Told on the next round, like any other end: whoever starts something is not called back at once.
        transfer->sink_refused = true;
    }
    set_options(*transfer);
    if (transfer->sink_refused) curl_easy_setopt(handle, CURLOPT_URL, "");
    curl_multi_add_handle(multi_.get(), handle);
    under_way_.emplace(handle, std::move(transfer));
}

void Transfers::hand_out_ended() {
    std::vector<std::unique_ptr<Transfer>> ended;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        const CURLcode result = message->data.result;
        CURL* const handle = message->easy_handle;
        curl_multi_remove_handle(multi_.get(), handle);
        auto node = under_way_.extract(handle);
        Transfer& transfer = *node.mapped();
        long status = 0;
        curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
        transfer.answer.status = static_cast<int>(status);
        if (result != CURLE_OK) {
            transfer.answer.failure = transfer.error_text[0] != '\0' ? transfer.error_text : curl_easy_strerror(result);
            transfer.answer.may_pass = may_pass(result) && !transfer.sink_refused;
            // A refusal that came before all was sent is an answer, too.
            if (status >= 400 && !transfer.answer.body.empty()) transfer.answer.failure.clear();
        }
        ended.push_back(std::move(node.mapped()));
    }
    for (auto& transfer : ended) {
        transfer->form.reset();  // before the handle that it was made for
        transfer->done(std::move(transfer->answer));
    }
}

void Transfers::wait(Millis at_most) {
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    if (static_cast<std::size_t>(running) == under_way_.size()) {
        curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(at_most.count()), nullptr);
        curl_multi_perform(multi_.get(), &running);
    }
    hand_out_ended();
}

void Transfers::drop_all() {
    for (auto& [handle, transfer] : under_way_) {
        curl_multi_remove_handle(multi_.get(), handle);
        transfer->form.reset();
    }
    under_way_.clear();
}

}  // namespace tessera::remote
