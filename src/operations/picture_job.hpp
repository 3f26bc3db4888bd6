// What resize and optimize share: one source image in, one picture out.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string_view>

#include "core/image_format.hpp"
#include "imaging/picture/open.hpp"
#include "imaging/pixels/small_picture.hpp"
#include "imaging/save/save.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

// The formats that resize and optimize write, and the one that stands in for a source format that is only read.
std::vector<std::string_view> picture_format_names();
bool is_written(ImageFormat format);

std::string_view text_option(const boost::json::object& options, std::string_view name);
int int_option(const boost::json::object& options, std::string_view name);
double number_option(const boost::json::object& options, std::string_view name, double otherwise);  // where not given
bool bool_option(const boost::json::object& options, std::string_view name);
ImageFormat format_option(const boost::json::object& options);

JobError from_error(const Error& error);  // a file that could not be opened or read

imaging::Source source_of(const RunContext& context, int fd, std::size_t image = 0);
imaging::SaveContext save_context(const RunContext& context);
// Processor time that decoding an image may take, for progress.
double seconds_to_decode(const ImageInfo& image);

// What users want to know of a picture that was made from another.
boost::json::object picture_metadata(const InputImage& source, ImageFormat format, std::int64_t byte_size);

// What the picture looks like: placeholders and colours. Nothing of one that is all transparent.
void add_impression(boost::json::object& metadata, const imaging::SmallPicture& picture);

// The manifest of one picture written to `file`, with the metadata that users want to see.
struct PictureResult {
    std::string file;
    ImageFormat format = ImageFormat::jpeg;
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t byte_size = 0;
    boost::json::object metadata;  // what the operation adds
};
OutputFile output_of(const RunContext& context, PictureResult result);
Manifest manifest_of(const RunContext& context, PictureResult result);

}  // namespace tessera::operations
