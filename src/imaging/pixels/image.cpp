#include "imaging/pixels/image.hpp"

#include "imaging/pixels/vips_image.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {

std::int64_t Image::width() const {
    return handle_->pixels.width();
}

std::int64_t Image::height() const {
    return handle_->pixels.height();
}

bool Image::has_alpha() const {
    return unwrap(*this).has_alpha();
}

int Image::bits_per_sample() const {
    return static_cast<int>(vips_format_sizeof(handle_->pixels.format())) * 8;
}

bool Image::is_grey() const {
    return handle_->pixels.bands() <= 2;
}

bool Image::is_cmyk() const {
    return handle_->pixels.interpretation() == VIPS_INTERPRETATION_CMYK;
}

bool Image::has_profile() const {
    return handle_->pixels.get_typeof(VIPS_META_ICC_NAME) != 0;
}

int Image::orientation() const {
    return vips_image_get_orientation(handle_->pixels.get_image());
}

JobError decode_failed(std::string detail) {
    if (is_out_of_memory(detail)) {
        return {JobErrorCode::resource_exhausted, "the work needed more memory than the service allows",
                std::move(detail)};
    }
    return {JobErrorCode::decode_failed, "the source image is damaged or not what it claims to be", std::move(detail)};
}

}  // namespace tessera::imaging
