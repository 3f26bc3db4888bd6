#include "http/api/stored_file.hpp"

#include "http/message/conditional.hpp"
#include "http/message/content_disposition.hpp"

namespace tessera::http {

// The conditions are judged on a body that stands for the whole file; only the part that is to be sent is read.
Response respond_with(const Request& request, const StoredFile& file, const ReadRange& read) {
    Response response =
        Response::bytes(file.content_type, FileSlice{nullptr, 0, static_cast<std::uint64_t>(file.byte_size)});
    response.add("Cache-Control", "public, max-age=" + std::to_string(file.seconds_left) + ", immutable");
    response.add("Content-Disposition", content_disposition(file.filename));
    response = apply_conditions(request, std::move(response), strong_etag(file.checksum_sha256), true);
    const auto* wanted = std::get_if<FileSlice>(&response.body);
    if (response.error || wanted == nullptr) return response;

    auto range = read(wanted->offset, wanted->length);
    if (!range) return Response::from(std::move(range).error());
    if (range->file) {
        response.body = FileSlice{std::move(range->file), range->offset, range->length};
    } else {
        const std::string_view bytes(*range->bytes);
        response.body = SharedBytes{std::move(range->bytes), bytes};
    }
    return response;
}

}  // namespace tessera::http
