// What shrinking a file takes beyond decoding and saving: a file's own bytes without its metadata, JPEG from its
// coefficients, fewer colours for PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/image_format.hpp"
#include "core/job.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/pixels/small_picture.hpp"
#include "imaging/save/save.hpp"

namespace tessera::imaging {

struct SourceFile {
    int fd = -1;  // borrowed
    ImageFormat format = ImageFormat::jpeg;
    int orientation = 1;
};

// The file's own bytes, less metadata unless that is to be kept. Pixels are untouched. Nothing where the file is not
// built as its format promises, so that nobody can say where its metadata is: a decoder may forgive that.
JobResult<std::optional<std::int64_t>> save_own_bytes(const SourceFile& source, bool keep_metadata,
                                                      const std::filesystem::path& path, const SaveContext& context);

// A JPEG written again from its coefficients: as they are, or at `quality` where it was made at a clearly higher one.
struct RecodedJpeg {
    std::int64_t byte_size = 0;
    bool lossless = true;
    bool halved_colour = false;  // both ways, in the file
    SmallPicture small{};        // as the file's rows lie, of the means of its blocks
};
// Nothing where the coefficients do not serve: ink colours, colour at full or half resolution (4:2:2) that ought to be
// lower, damage.
JobResult<std::optional<RecodedJpeg>> save_recoded_jpeg(const SourceFile& source, const Encoding& encoding,
                                                        const std::filesystem::path& path, const SaveContext& context);

// In memory, so that several encoders can try it.
JobResult<Image> in_memory(const Image& image, const SaveContext& context);

// At most 256 colours, dithered, as few as `quality` allows.
JobResult<Image> with_few_colours(const Image& image, int quality, const Report& report);

// The embedded profile says sRGB, so it says nothing.
bool has_srgb_profile(const Image& image);

}  // namespace tessera::imaging
