// A picture that is cut from a tileset: from which zoom, which part of it, how large, and how it is turned. Arithmetic
// alone; what a cut may take is limited here, before anything is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image_format.hpp"
#include "core/picture_colours.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "service/pictures/iiif_address.hpp"
#include "service/pictures/iiif_part.hpp"

namespace tessera::service {

struct Cut {
    int zoom = 0;
    // What is shown, in pixels of the zoom: it may begin and end between two.
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    PictureSize size;  // of the result, before it is turned
    bool mirrored = false;
    int turned = 0;
    PictureColours colours = PictureColours::all;
    ImageFormat format = ImageFormat::jpeg;

    // Names the picture among all of one tileset version.
    [[nodiscard]] std::string name() const;
};

// Whether it is a whole tile in the tileset's own format: the tile's very bytes.
[[nodiscard]] bool is_whole_tile(const Cut& cut, const TilesetGeometry& geometry);

// An address with all that it leaves open decided for one picture.
struct IiifCut {
    Cut cut;
    std::string canonical;  // the same picture's only spelling: region/size/rotation/quality.format
};
// What lies outside of the picture, or is over the limits, is an error.
[[nodiscard]] Result<IiifCut> resolve_iiif(const IiifAddress& address, const TilesetGeometry& geometry);

// The sizes that the whole picture has in tiles, the smallest first, as far as they are within the limits.
[[nodiscard]] std::vector<PictureSize> sizes_at_hand(const TilesetGeometry& geometry);

}  // namespace tessera::service
