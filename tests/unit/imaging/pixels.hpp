// Files opened as operations open them, and the pixels that come out.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "imaging/picture/open.hpp"
#include "imaging/picture/transform.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "support/images.hpp"

namespace tessera::imaging {

struct Pixels {
    int width = 0;
    int height = 0;
    int bands = 0;
    std::vector<double> samples;

    [[nodiscard]] std::vector<double> at(int x, int y) const {
        const auto first = samples.begin() + std::ptrdiff_t{y} * width * bands + std::ptrdiff_t{x} * bands;
        return {first, first + bands};
    }
};

// Nothing where the file can't be opened or not be read to its end; `complaint` says why.
inline std::optional<Pixels> pixels_of(const std::string& bytes, ImageFormat format, std::string* complaint = nullptr) {
    take_vips_error();
    const UniqueFd file = test::file_with(bytes);
    auto image = open({.fd = file.get(), .format = format, .max_pixels = 500'000'000});
    const auto fail = [&](const JobError& error) {
        if (complaint != nullptr) *complaint = error.message + " / " + error.detail;
        return std::nullopt;
    };
    if (image) image = upright(*image);
    if (!image) return fail(image.error());
    auto read = guarded([&] {
        const vips::VImage pixels = unwrap(*image).cast(VIPS_FORMAT_DOUBLE);
        std::size_t size = 0;
        auto* memory = static_cast<double*>(pixels.write_to_memory(&size));
        Pixels result{pixels.width(), pixels.height(), pixels.bands(), {memory, memory + size / sizeof(double)}};
        g_free(memory);
        return result;
    });
    if (!read) return fail(read.error());
    if (rows_have_failed()) return fail(decode_failed(take_vips_error()));
    return std::move(*read);
}

}  // namespace tessera::imaging
