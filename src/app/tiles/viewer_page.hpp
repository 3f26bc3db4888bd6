// The page of `tessera tiles serve`: a viewer in one file (viewer.html), with no library and nothing from elsewhere.
#pragma once

#include <string_view>

namespace tessera::app {

std::string_view viewer_page();

}  // namespace tessera::app
