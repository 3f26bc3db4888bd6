// The little of XML that S3's answers need: the text of elements that hold no others, found by name. What S3 sends has
// no attributes on them, no comments and no character data sections.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tessera::blobs {

// The text of the first element of that name; empty when there is none. Entities are decoded.
std::string xml_text(std::string_view document, std::string_view element);
// Calls `visit` with the inside of each element of that name, in order.
void for_each_xml(std::string_view document, std::string_view element,
                  const std::function<void(std::string_view)>& visit);

}  // namespace tessera::blobs
