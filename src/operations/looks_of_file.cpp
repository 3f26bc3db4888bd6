#include "operations/looks_of_file.hpp"

#include "core/file.hpp"
#include "imaging/picture/open.hpp"
#include "imaging/picture/transform.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {

JobResult<imaging::Comparison> looks_of_file(const imaging::Image& reference, const std::filesystem::path& path,
                                             ImageFormat format) {
    const auto file = open_for_reading(path);
    if (!file) return from_error(file.error());
    imaging::Source source;
    source.fd = file->get();
    source.format = format;
    source.max_pixels = reference.width() * reference.height();
    auto candidate = imaging::open(source);
    if (candidate) candidate = imaging::to_srgb(*candidate);
    if (candidate) candidate = imaging::upright(*candidate);
    if (!candidate) return candidate.error();
    return imaging::compare_looks(reference, *candidate);
}

}  // namespace tessera::operations
