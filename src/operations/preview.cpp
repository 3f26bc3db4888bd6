#include "operations/preview.hpp"

namespace tessera::operations {

RunRequest preview_request(const InputImage& image, int edge) {
    RunRequest request;
    request.operation = "resize";
    request.options = {{"width", edge},         {"height", edge}, {"fit", "inside"},           {"position", "centre"},
                       {"format", "webp"},      {"quality", 75},  {"background", "#00000000"}, {"enlarge", false},
                       {"keep_metadata", false}};
    request.images = {image};
    request.limits.max_input_pixels = image.image.width * image.image.height;
    request.limits.max_output_pixels = std::int64_t{edge} * edge;
    request.limits.max_artifact_bytes = std::int64_t{4} << 20;
    return request;
}

}  // namespace tessera::operations
