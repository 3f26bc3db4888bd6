// The interface of an operation: one file that owns its options, their checks, its cost and its work.
// `normalize` and then `resolve` run in the service when a job is submitted; `run` runs in an engine process on the
// accepted options.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/asset.hpp"
#include "core/plan.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "core/uuid.hpp"
#include "operations/option_table.hpp"
#include "operations/product_plan.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

// What this service's workers take on, whatever a plan allows. From configuration.
struct WorkerLimits {
    std::int64_t max_input_megapixels = 500;
    std::int64_t max_output_megapixels = 500;
    std::int64_t max_tiles_per_job = 2'000'000;
    std::int64_t max_canvas_megapixels = 1'000'000;  // of a picture that exists as tiles only
    std::int64_t max_sources_per_job = 1024;
    std::int64_t heavy_megapixels = 50;  // a job over this is heavy: it stays out of the lane for light jobs
};

// What is known when a job is submitted. The lookups see the caller's account only, and answer with
// asset_not_found or tileset_not_found for anything else.
struct SubmitContext {
    std::function<Result<Asset>(const Uuid&)> find_asset;
    std::function<Result<Tileset>(const Uuid&)> find_tileset;
    PlanLimits plan;
    WorkerLimits worker;
};

// What the client asked for, in one spelling and with constant defaults: the operation's fixed tables say it all.
// Nothing that depends on the account, its plan, an asset, a tileset, the configuration or the time is in it, so that a
// retry is the same request whatever has happened to the world.
struct NormalizedRequest {
    std::string operation;
    std::optional<Uuid> asset_id;  // the request's own source
    boost::json::object options;   // always in the table's order: its text identifies the request
};

// What was decided about it when it was accepted, and is stored with the job.
struct ResolvedRequest {
    std::string operation;
    boost::json::object options;     // every default filled in, in the table's order
    std::optional<Uuid> asset_id;    // the request's own source, where the operation takes one
    std::optional<Uuid> tileset_id;  // an existing tileset that this job reads or rebuilds
    std::int64_t credits = 1;
    bool heavy = false;
};

// The outermost --help that shows an example of a command: the operation's, that of `tessera process`, or the
// program's.
enum class HelpOf { operation, process, program };

struct CommandExample {
    std::string_view arguments;  // of `tessera process`, on files that anybody may have
    HelpOf shown_in = HelpOf::operation;
};

// What documentation shows of an operation. What is not there is shown of another one, or not at all.
struct Examples {
    std::string_view request;  // a whole one, as JSON
    std::vector<CommandExample> commands{};
    std::string_view short_request{};     // as JSON, for a hint to who sent none
    std::string_view refusal{};           // what somebody hears whose options are wrong
    std::string_view accepted_options{};  // as JSON, of a job that succeeded
    std::string_view metadata{};          // as JSON, of that job's artifact
};

class Operation {
  public:
    Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    virtual ~Operation() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::string_view description() const = 0;
    [[nodiscard]] virtual const OptionTable& options() const = 0;
    // JSON Schema of the options. Overridden where the table can't say it all.
    [[nodiscard]] virtual boost::json::object options_schema() const { return options().schema(); }
    // What no JSON Schema can say of a request: rules between its fields, or on what it names.
    struct Rule {
        std::string_view name;
        std::string_view text;
    };
    [[nodiscard]] virtual std::vector<Rule> rules() const { return {}; }
    [[nodiscard]] virtual Examples examples() const { return {}; }
    // Whether a request names a source beside its options, and what that is to the operation.
    [[nodiscard]] virtual SourceUse source_use() const { return SourceUse::required; }
    [[nodiscard]] virtual std::string_view source_description() const { return "The source image"; }
    // Whether its jobs publish a tileset version: a new tileset where the request names none.
    [[nodiscard]] virtual bool makes_tileset() const { return false; }
    // What a browser saves a result as, without the extension. `source` is the name of the request's own source, or the
    // operation's where it has none.
    [[nodiscard]] virtual std::string file_stem(std::string source, const OutputFile& /*made*/) const { return source; }
    // The images of a request's run: its own source first, then those that its options name, in order, each once.
    [[nodiscard]] std::vector<Uuid> images(const std::optional<Uuid>& asset_id, const boost::json::object& given) const;

    // Whether its work spreads over all the cores it can get (RunLimits::helpers).
    [[nodiscard]] virtual bool takes_helpers() const { return false; }

    // The options as a NormalizedRequest has them.
    [[nodiscard]] virtual Result<boost::json::object> normalize(const boost::json::object& given,
                                                                const std::optional<Uuid>& asset_id) const = 0;
    [[nodiscard]] virtual Result<ResolvedRequest> resolve(NormalizedRequest request,
                                                          const SubmitContext& context) const = 0;
    // What run() will make of the request. Runs on the host, which believes nothing else.
    [[nodiscard]] virtual Result<ProductPlan> plan(const RunRequest& request) const = 0;
    [[nodiscard]] virtual Result<Manifest, JobError> run(const RunContext& context) const = 0;
};

}  // namespace tessera::operations
