#include "run_here.hpp"

#include <boost/json/parse.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "operations/registry.hpp"
#include "support/images.hpp"

namespace tessera::test {
namespace json = boost::json;
using vips::VImage;

Result<operations::ResolvedRequest> accepted(std::string_view operation, const json::value& options,
                                             const std::optional<Uuid>& asset_id,
                                             const operations::SubmitContext& context) {
    return operations::Registry::built_in().accept(operation, options, asset_id, context);
}

operations::SubmitContext knowing(const ImageInfo& image) {
    Asset asset;
    asset.id = known_asset;
    asset.image = image;
    asset.byte_size = 1000;
    operations::SubmitContext context;
    context.find_asset = [asset](const Uuid& id) -> Result<Asset> {
        if (id == asset.id) return asset;
        return Error{ErrorCode::asset_not_found, "asset not found", {}};
    };
    context.find_tileset = [](const Uuid&) -> Result<Tileset> {
        return Error{ErrorCode::tileset_not_found, "tileset not found", {}};
    };
    return context;
}

Result<operations::ResolvedRequest> accept(const std::string& operation, const std::string& options,
                                           const ImageInfo& image) {
    return accepted(operation, json::parse(options), known_asset, knowing(image));
}

JobResult<Produced> run_here(const std::string& operation, const std::string& options, const std::string& source,
                             const operations::RunLimits& limits) {
    if (!imaging::start_vips().ok()) throw std::runtime_error("libvips does not start");
    const auto info = imaging::probe(file_with(source).get(), {});
    if (!info) return info.error();
    const auto accepted = accept(operation, options, *info);
    if (!accepted) throw std::runtime_error(accepted.error().message);

    operations::RunRequest request;
    request.operation = operation;
    request.options = accepted->options;
    request.images = {{accepted->asset_id.value(), *info, static_cast<std::int64_t>(source.size())}};
    request.limits = limits;
    const TemporaryFolder folder;
    const operations::RunContext context{
        request, folder.path(), [&](std::size_t) -> Result<UniqueFd> { return file_with(source); },
        {},      [](double) {}, [] { return false; }};
    const auto registry = operations::Registry::built_in();
    const auto manifest = registry.find(operation)->run(context);
    if (!manifest) return manifest.error();

    Produced produced{manifest->artifacts.at(0), {}};
    std::ifstream stream(folder.path() / produced.file.file, std::ios::binary);
    produced.bytes.assign(std::istreambuf_iterator<char>(stream), {});
    return produced;
}

Produced must_run(const std::string& operation, const std::string& options, const std::string& source) {
    auto produced = run_here(operation, options, source);
    if (!produced) throw std::runtime_error(produced.error().message + " (" + produced.error().detail + ")");
    return *produced;
}

VImage decoded(const std::string& bytes) {
    return VImage::new_from_buffer(bytes.data(), bytes.size(), "").copy_memory();
}

std::vector<double> pixel(const VImage& image, int x, int y) {
    return image.getpoint(x, y);
}

double psnr(const VImage& a, const VImage& b) {
    const int bands = std::min(a.bands(), b.bands());
    const VImage first = a.extract_band(0, VImage::option()->set("n", bands));
    const VImage second = b.extract_band(0, VImage::option()->set("n", bands));
    const double error = (first - second).pow(2.0).avg();
    return error == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(255.0 * 255.0 / error);
}

std::string encoded(const VImage& image, const std::string& suffix) {
    void* data = nullptr;
    std::size_t size = 0;
    image.write_to_buffer(suffix.c_str(), &data, &size);
    std::string bytes(static_cast<const char*>(data), size);
    g_free(data);
    return bytes;
}

}  // namespace tessera::test
