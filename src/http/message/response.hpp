// What a handler answers. The server adds what every response carries: Date, X-Request-ID, Content-Length, security
// headers. Errors are turned into JSON by the server, which knows the request's id.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/uuid.hpp"
#include "http/message/waited.hpp"

namespace tessera::http {

// Immutable bytes that someone else keeps alive: sent without a copy.
struct SharedBytes {
    std::shared_ptr<const void> owner;
    std::string_view bytes;
};

// A part of an open file: sent by the kernel without a copy.
struct FileSlice {
    std::shared_ptr<const UniqueFd> file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

// The same for a file that someone else keeps open, of a part that was seen in memory just now: no need to look again.
struct ResidentSlice {
    std::shared_ptr<const void> owner;
    int file = -1;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

// A body that is made while it is sent, for as long as its source likes: the server asks for more when the client has
// taken what was there. To wait for it is to wait until there is more.
class BodySource : public Waited {
  public:
    // Appends what there is; a source that has much gives some of it. False: that was all. On the loop.
    virtual bool take(std::string& out) = 0;
};

using ResponseBody = std::variant<std::string, SharedBytes, FileSlice, ResidentSlice>;

std::uint64_t size_of(const ResponseBody& body);

struct Response {
    int status = 200;
    std::string content_type;  // empty: no Content-Type
    std::string headers;       // further ones, each "Name: value\r\n"; use add()
    ResponseBody body;
    // Instead of a body: no length is said. A HEAD is answered without a source.
    std::shared_ptr<BodySource> source = {};
    bool is_streamed = false;
    // When set, status and body are made from it. Behind a pointer, since errors are large and few responses are one.
    std::shared_ptr<const Error> error;
    bool close = false;           // end the connection after this response
    bool has_own_policy = false;  // `headers` holds a Content-Security-Policy, as a page of our own needs
    // A HEAD or 304 answer says this length without having the bytes.
    std::optional<std::uint64_t> declared_length;
    std::optional<Uuid> job = {};  // that it tells of: for the access log

    // A value with a control character in it is refused (dropped and logged), so that data can't split a response.
    Response& add(std::string_view name, std::string_view value);

    static Response json(std::string text, int status = 200);
    static Response bytes(std::string_view content_type, ResponseBody body, int status = 200);
    static Response streamed(std::string_view content_type, std::shared_ptr<BodySource> source);
    static Response empty(int status);
    static Response from(Error error);
};

// Whether a header's value has no control character in it; logs those that do.
bool may_be_header(std::string_view name, std::string_view value);

}  // namespace tessera::http
