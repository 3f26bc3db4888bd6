// What S3 requests and answers are made of: error documents, and names encoded for a query.
#pragma once

#include <string>
#include <string_view>

#include "blobs/s3/http_exchange.hpp"
#include "core/error.hpp"

namespace tessera::blobs {

inline constexpr std::string_view sha256_of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// Everything but letters, digits and -._~ is escaped, as signatures want it.
std::string uri_encoded(std::string_view text);

// From what S3 answered to what the rest of the service understands.
Error s3_error(const HttpRequest& request, const HttpResponse& response);

}  // namespace tessera::blobs
