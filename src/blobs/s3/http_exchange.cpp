#include "blobs/s3/http_exchange.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "core/owned.hpp"
#include "core/text.hpp"

namespace tessera::blobs {

namespace {

// Error documents and listings; a listing of a thousand keys is some 500 KiB.
constexpr std::size_t max_collected_body = 8 << 20;
constexpr std::size_t max_idle_handles = 64;

using Handle = Owned<CURL, curl_easy_cleanup>;
using HeaderList = Owned<curl_slist, curl_slist_free_all>;

// What the callbacks of one exchange work on.
struct Transfer {
    const HttpRequest& request;
    HttpResponse response;
    CURL* handle;
    std::uint64_t sent = 0;
};

std::size_t on_header(char* data, std::size_t, std::size_t size, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    const std::string_view line(data, size);
    if (line.starts_with("HTTP/")) {
        transfer.response.headers.clear();  // of an interim response
        return size;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return size;
    auto value = line.substr(colon + 1);
    while (value.ends_with('\n') || value.ends_with('\r')) value.remove_suffix(1);
    transfer.response.headers[lower_case(line.substr(0, colon))] = trimmed(value);
    return size;
}

std::size_t on_body(char* data, std::size_t, std::size_t size, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    long status = 0;
    curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && status < 300 && !transfer.request.out.empty()) {
        auto room = transfer.request.out.subspan(transfer.response.received);
        if (size > room.size()) return 0;  // more than was asked for: fails the transfer
        std::memcpy(room.data(), data, size);
        transfer.response.received += size;
        return size;
    }
    if (transfer.response.body.size() + size > max_collected_body) return 0;
    transfer.response.body.append(data, size);
    return size;
}

std::size_t on_send(char* out, std::size_t, std::size_t room, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    const FileSlice& file = transfer.request.file;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(room, file.size - transfer.sent));
    if (wanted == 0) return 0;
    ssize_t got = 0;
    do {
        got = ::pread(file.fd, out, wanted, static_cast<off_t>(file.offset + transfer.sent));
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return CURL_READFUNC_ABORT;
    transfer.sent += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
}

int on_rewind(void* context, curl_off_t offset, int origin) {
    if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_FAIL;
    static_cast<Transfer*>(context)->sent = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
}

void set_body(CURL* handle, Transfer& transfer) {
    const HttpRequest& request = transfer.request;
    if (request.method == "HEAD") {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (request.file.fd >= 0) {
        curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.file.size));
        curl_easy_setopt(handle, CURLOPT_READFUNCTION, on_send);
        curl_easy_setopt(handle, CURLOPT_READDATA, &transfer);
        curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, on_rewind);
        curl_easy_setopt(handle, CURLOPT_SEEKDATA, &transfer);
    } else if (request.method == "POST" || request.method == "PUT") {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    if (request.method != "HEAD") curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

HeaderList header_list(const HttpRequest& request) {
    curl_slist* list = nullptr;
    for (const auto& header : request.headers) list = curl_slist_append(list, header.c_str());
    // libcurl would declare a form. (It signs what is listed here, so that "Expect:", its way to leave a header out,
    // would make the signature wrong.)
    if (request.method == "POST" || request.method == "PUT")
        list = curl_slist_append(list, "Content-Type: application/octet-stream");
    return HeaderList(list);
}

}  // namespace

// Each handle keeps its own connections; the last one used goes out first, for its connection is the likeliest to live.
class HttpExchanger::Handles {
  public:
    Handle take() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                Handle handle = std::move(idle_.back());
                idle_.pop_back();
                return handle;
            }
        }
        return Handle(curl_easy_init());
    }
    void give_back(Handle handle) {
        curl_easy_reset(handle.get());
        const std::lock_guard lock(mutex_);
        if (idle_.size() < max_idle_handles) idle_.push_back(std::move(handle));
    }

  private:
    std::mutex mutex_;
    std::vector<Handle> idle_;
};

std::string HttpResponse::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

HttpExchanger::HttpExchanger(HttpSigning signing, std::chrono::milliseconds connect_timeout,
                             std::chrono::milliseconds stall_timeout)
    : signing_(std::move(signing)),
      connect_timeout_(connect_timeout),
      stall_timeout_(stall_timeout),
      handles_(std::make_unique<Handles>()) {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    static_cast<void>(initialised);
}

HttpExchanger::~HttpExchanger() = default;

Result<HttpResponse> HttpExchanger::exchange(const HttpRequest& request) {
    Handle handle = handles_->take();
    if (!handle) return storage_unavailable("libcurl gave no handle");
    CURL* const curl = handle.get();
    Transfer transfer{request, {}, curl};
    const HeaderList headers = header_list(request);
    const std::string signer = "aws:amz:" + signing_.region + ":s3";
    char error_text[CURL_ERROR_SIZE] = "";

    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error_text);
    curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, signer.c_str());
    curl_easy_setopt(curl, CURLOPT_USERNAME, signing_.access_key_id.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, signing_.secret_access_key.c_str());
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_timeout_.count()));
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(stall_timeout_.count() / 1000)));
    curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, 512L * 1024);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L * 1024);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    set_body(curl, transfer);

    const CURLcode result = curl_easy_perform(curl);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    const std::string reason = error_text[0] != '\0' ? error_text : curl_easy_strerror(result);
    handles_->give_back(std::move(handle));
    if (result != CURLE_OK) return storage_unavailable(reason);
    transfer.response.status = static_cast<int>(status);
    return std::move(transfer.response);
}

}  // namespace tessera::blobs
