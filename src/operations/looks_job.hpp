// The work of a target: encodes a picture at several qualities, decodes what came out and compares, until the smallest
// file is known that looks alike enough; and, for format "auto", does so in several formats and takes the smallest.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/image_format.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/save/save.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

struct EncodedPicture {
    std::string file;  // its name in the scratch folder
    ImageFormat format = ImageFormat::jpeg;
    std::int64_t byte_size = 0;
    bool lossless = false;
    bool has_halved_source = false;  // from coefficients of a JPEG whose colour is at half resolution, and stays so
};

using EncodeOnce =
    std::function<JobResult<EncodedPicture>(const imaging::Encoding& asked, const imaging::Report& report)>;

struct LooksJob {
    const RunContext& context;
    imaging::Image reference;  // eight-bit sRGB in memory: what the encoders are given
    int target = 80;
    std::vector<ImageFormat> formats;  // to choose among; one, where the request names it
    EncodeOnce encode;                 // writes a new file of the job's
    imaging::Encoding encoding;        // for what a try does not ask for
    bool may_be_exact = false;         // lossless files of formats that have such are tried too: drawings, transparency
    imaging::Report progress;          // of this work
};

// With the formats that the options ask for, or leave to us, and their target.
LooksJob looks_job(const RunContext& context, const boost::json::object& options, const imaging::Image& reference,
                   const imaging::Encoding& encoding, EncodeOnce encode);

struct LooksResult {
    EncodedPicture picture;
    boost::json::object metadata;  // target, score, quality, …
};
JobResult<LooksResult> run_to_target(const LooksJob& job);

}  // namespace tessera::operations
