// Builds a pyramid from a JPEG, for measuring: build_pyramid IN.jpg OUT.pmtiles FORMAT QUALITY THREADS
#include <cstdio>
#include <cstdlib>

#include "core/file.hpp"
#include "imaging/jpeg_rows.hpp"
#include "tiles/pyramid.hpp"

using namespace tessera;

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    const auto fd = open_for_reading(argv[1]);
    const auto format = image_format_from_string(argv[3]);
    if (!fd || !format) return 2;
    const bool planes = *format == ImageFormat::jpeg || std::getenv("PLANES") != nullptr;
    auto source = imaging::open_jpeg_rows(fd->get(), planes ? imaging::JpegPlanes::halved : imaging::JpegPlanes::never);
    if (!source) return 1;
    tiles::PyramidOptions options;
    options.encoding = {*format, std::atoi(argv[4])};
    options.threads = std::atoi(argv[5]);
    if (*format != ImageFormat::jpeg) options.background = {0, 0, 0, 0};
    const auto shape = tiles::PyramidShape::make((*source)->width(), (*source)->height(), 256);
    tiles::ArchiveInfo info;
    info.geometry = {*format, 256, (*source)->width(), (*source)->height(), 0, shape->max_zoom()};
    tiles::ArchiveWriter archive(info, ".");
    if (auto built = tiles::build_pyramid(**source, options, archive); !built) {
        std::fprintf(stderr, "%s %s\n", built.error().message.c_str(), built.error().detail.c_str());
        return 1;
    }
    const auto done = archive.finish(argv[2]);
    if (!done) return 1;
    std::printf("%zu tiles, %zu stored, %zu bytes\n", done->tile_count, done->content_count, done->byte_size);
    return 0;
}
