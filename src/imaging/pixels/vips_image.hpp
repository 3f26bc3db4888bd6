// Inside imaging only: the libvips side of Image, and the one place where its exceptions become errors.
#pragma once

#include <new>
#include <string>
#include <utility>
#include <vips/vips8>

#include "core/job.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {

struct Image::Handle {
    vips::VImage pixels;
};

inline Image wrap(vips::VImage pixels) {
    return Image(std::make_shared<const Image::Handle>(Image::Handle{std::move(pixels)}));
}
// A copy of the reference, not of pixels. libvips' C++ methods are not const.
inline vips::VImage unwrap(const Image& image) {
    return image.handle().pixels;
}

// What libvips failed with, as the job's error: a fault of the source, or of memory.
JobError decode_failed(std::string detail);

// Runs `work`, which may throw what libvips throws.
template <typename Work>
auto guarded(Work&& work) -> JobResult<decltype(work())> {
    try {
        return work();
    } catch (const vips::VError& error) {
        std::string complaint = take_vips_error();
        return decode_failed(complaint.empty() ? error.what() : std::move(complaint));
    } catch (const std::bad_alloc&) {
        return JobError{JobErrorCode::resource_exhausted, "the work needed more memory than the service allows",
                        "bad_alloc"};
    }
}

}  // namespace tessera::imaging
