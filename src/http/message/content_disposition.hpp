// The Content-Disposition of a download.
#pragma once

#include <string>
#include <string_view>

namespace tessera::http {

// "attachment" with the name twice: in ASCII for old clients, and as it is.
std::string content_disposition(std::string_view filename);

}  // namespace tessera::http
