// Runs an operation in the test's own process: accepted, run, and its picture decoded again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <vips/vips8>

#include "core/job.hpp"
#include "operations/operation.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::test {

// What the service does with a request that it sees for the first time.
Result<operations::ResolvedRequest> accepted(std::string_view operation, const boost::json::value& options,
                                             const std::optional<Uuid>& asset_id,
                                             const operations::SubmitContext& context);

// A context that knows one asset, `known_asset`, with this picture.
inline const Uuid known_asset = *Uuid::parse("0190aaaa-0000-7000-8000-000000000001");
operations::SubmitContext knowing(const ImageInfo& image);

Result<operations::ResolvedRequest> accept(const std::string& operation, const std::string& options,
                                           const ImageInfo& image);

struct Produced {
    operations::OutputFile file;
    std::string bytes;
};

// Probes `source`, submits, runs. Throws std::runtime_error with the refusal when the job is not accepted.
JobResult<Produced> run_here(const std::string& operation, const std::string& options, const std::string& source,
                             const operations::RunLimits& limits = {});
// The same for a job that must succeed; throws when it fails.
Produced must_run(const std::string& operation, const std::string& options, const std::string& source);

// Decoded by libvips' own choice of loader, in memory.
vips::VImage decoded(const std::string& bytes);
std::vector<double> pixel(const vips::VImage& image, int x, int y);
double psnr(const vips::VImage& a, const vips::VImage& b);  // of the colour bands both have; infinity where equal

std::string encoded(const vips::VImage& image, const std::string& suffix);  // ".png", ".jpg[Q=90]"

}  // namespace tessera::test
