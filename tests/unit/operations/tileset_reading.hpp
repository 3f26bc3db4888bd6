// Puts the tiles of an archive together again, with libvips as the decoder: what a viewer would show.
#pragma once

#include <string>
#include <vips/vips8>

#include "tiles/patch/patcher.hpp"

namespace tessera::test {

// An archive that lies in memory.
std::shared_ptr<const tiles::Archive> open_archive(const std::string& bytes);

// The picture at a zoom, from layers (topmost first), all tiles in place and the padding cut away; as sRGB with alpha.
vips::VImage assembled(const tiles::Layers& layers, int zoom);
vips::VImage full_size(const tiles::Layers& layers);
vips::VImage full_size(std::shared_ptr<const tiles::Archive> archive);

}  // namespace tessera::test
