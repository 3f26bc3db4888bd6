#include "operations/compare.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "imaging/looks/compare.hpp"
#include "imaging/picture/transform.hpp"
#include "operations/picture_job.hpp"

namespace tessera::operations {
namespace json = boost::json;
namespace {

constexpr std::string_view compare_name = "compare";

// As displayed, in sRGB.
JobResult<imaging::Image> shown(const imaging::Source& source) {
    auto image = imaging::open(source);
    if (image) image = imaging::to_srgb(*image);
    if (image) image = imaging::upright(*image);
    return image;
}

class Compare final : public Operation {
  public:
    [[nodiscard]] std::string_view name() const override { return compare_name; }
    [[nodiscard]] std::string_view description() const override { return "Says how alike two pictures look."; }
    [[nodiscard]] const OptionTable& options() const override {
        static const OptionTable none{};
        return none;
    }
    [[nodiscard]] Result<json::object> normalize(const json::object& given, const std::optional<Uuid>&) const override {
        return options().parse(given);
    }
    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest, const SubmitContext&) const override {
        return internal_error("compare is not a job");
    }
    // Nothing but a number comes back.
    [[nodiscard]] Result<ProductPlan> plan(const RunRequest&) const override { return ProductPlan{}; }

    [[nodiscard]] JobResult<Manifest> run(const RunContext& context) const override {
        const auto first = context.open_image(0);
        if (!first) return from_error(first.error());
        const auto second = context.open_image(1);
        if (!second) return from_error(second.error());
        const auto reference = shown(source_of(context, first->get(), 0));
        if (!reference) return reference.error();
        const auto candidate = shown(source_of(context, second->get(), 1));
        if (!candidate) return candidate.error();
        const auto compared = imaging::compare_looks(*reference, *candidate, std::numeric_limits<std::int64_t>::max());
        if (!compared) return compared.error();
        OutputFile words;
        words.metadata = {{"score", compared->score}};
        return Manifest{{std::move(words)}, std::nullopt};
    }
};

}  // namespace

RunRequest comparison_request(const InputImage& reference, const InputImage& candidate) {
    RunRequest request;
    request.operation = compare_name;
    request.images = {reference, candidate};
    return request;
}

double score_of(const Manifest& manifest) {
    if (manifest.artifacts.empty()) return 0;
    const json::value* score = manifest.artifacts.front().metadata.if_contains("score");
    return score != nullptr && score->is_number() ? score->to_number<double>() : 0;
}

std::unique_ptr<Operation> make_compare() {
    return std::make_unique<Compare>();
}

}  // namespace tessera::operations
