// Input: any file. What is read of JPEG and PNG files beside their pixels must stay within the file and within bounds,
// and EXIF that is made true of another picture must not grow.
#include <cstdint>
#include <cstdlib>

#include "codecs/bytes/orientation_exif.hpp"
#include "codecs/jpeg/metadata.hpp"
#include "codecs/png/metadata.hpp"
#include "imaging/save/kept/exif.hpp"
#include "support/images.hpp"

namespace {

using namespace tessera;

constexpr std::size_t most_unfolded = std::size_t{8} << 20;

void check_exif(codecs::FileBytes exif) {
    const int orientation = codecs::orientation_of(exif);
    if (orientation < 1 || orientation > 8) std::abort();
    if (imaging::exif_of(codecs::text_of(exif), {640, 480, true}).size() > exif.size()) std::abort();
}

void check(const codecs::GatheredMetadata& metadata, std::size_t most) {
    for (const codecs::FileBytes bytes : {metadata.bytes().icc, metadata.bytes().exif, metadata.bytes().xmp}) {
        if (bytes.size() > most) std::abort();
    }
    check_exif(metadata.exif);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const codecs::FileBytes file(data, size);
    check_exif(file);
    const auto fd = test::file_with(codecs::text_of(file));
    check(codecs::read_jpeg_metadata(fd.get()), size);
    check(codecs::read_png_metadata(fd.get()), most_unfolded);
    return 0;
}
