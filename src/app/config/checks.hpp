// What texts in the configuration must look like.
#pragma once

#include <string_view>

namespace tessera::app {

bool is_anything(std::string_view text);
bool is_not_empty(std::string_view text);
bool is_listen_address(std::string_view text);         // 127.0.0.1:8080, [::1]:8080
bool is_network(std::string_view text);                // 10.0.0.0/8, 2001:db8::/32, 192.0.2.1
bool is_base_url_or_empty(std::string_view text);      // https://images.example.org, no path, no query
bool is_receiver_url_or_empty(std::string_view text);  // http or https, and a path; no secrets
bool is_header_assignment(std::string_view text);      // name=value
bool is_metadata_url(std::string_view text);
bool is_blobs_url(std::string_view text);

}  // namespace tessera::app
