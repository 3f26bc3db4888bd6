// A file that the service keeps, as the response to whoever holds a signed address: conditions, ranges, caching.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "http/message/request.hpp"
#include "http/message/response.hpp"
#include "service/delivery/blob_range.hpp"

namespace tessera::http {

struct StoredFile {
    std::string_view content_type;
    std::int64_t byte_size = 0;
    std::string_view checksum_sha256;
    std::string_view filename;
    std::int64_t seconds_left = 0;  // until the address expires
};
using ReadRange = std::function<Result<service::BlobRange>(std::uint64_t offset, std::uint64_t length)>;

Response respond_with(const Request& request, const StoredFile& file, const ReadRange& read);

}  // namespace tessera::http
