#include "app/process/local_job.hpp"

#include <sys/stat.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "app/command_failed.hpp"
#include "app/process/local_engine.hpp"
#include "app/process/progress_bar.hpp"
#include "app/process/temporary_folder.hpp"
#include "app/put_in_place.hpp"
#include "app/remote/plan.hpp"
#include "app/tiles/open_file.hpp"
#include "core/file.hpp"
#include "engine/host/pool.hpp"
#include "operations/registry.hpp"
#include "tiles/archive/fold.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using operations::Option;
using operations::OptionRole;

// The pictures that a job names, as the assets they stand for. A file is looked at once.
class Pictures {
  public:
    // None of them may be the file that is written.
    Pictures(engine::Pool& pool, std::string output) : pool_(pool), output_(std::move(output)) {}

    const Asset& add(const std::string& path) {
        if (const auto known = by_path_.find(path); known != by_path_.end()) return assets_.at(known->second);
        const auto file = open_for_reading(path);
        if (!file) throw CommandFailed(ExitCode::not_found, path + ": can't be opened");
        require_other_file(output_, path);
        const auto probed = pool_.probe(file->get(), {}, {});
        if (!probed) throw CommandFailed(ExitCode::failed, path + ": " + probed.error().message);
        Asset asset;
        asset.id = Uuid::random();
        asset.image = *probed;
        asset.byte_size = static_cast<std::int64_t>(must(size_of(file->get())));
        asset.original_filename = path;
        by_path_.emplace(path, asset.id);
        return assets_.emplace(asset.id, std::move(asset)).first->second;
    }
    // {"file": "logo.png"} becomes {"asset_id": …}, wherever the options may have one.
    void name_assets(const operations::OptionTable& table, json::object& options) {
        const auto name = [&](json::object& object, const Option& row) {
            const std::string local = local_name(row);
            const json::value* file = object.if_contains(local);
            if (file == nullptr || !file->is_string()) return;
            const std::string path(file->get_string());
            object.erase(local);
            object[row.name] = add(path).id.to_string();
        };
        operations::visit_role(table.rows(), options, OptionRole::asset, name);
    }
    void require_none_is(const std::string& output) const {
        for (const auto& [path, id] : by_path_) require_other_file(output, path);
    }
    [[nodiscard]] Result<Asset> find(const Uuid& id) const {
        if (const auto found = assets_.find(id); found != assets_.end()) return found->second;
        return Error{ErrorCode::asset_not_found, "there are no assets outside the service: name a \"file\"", {}};
    }

  private:
    engine::Pool& pool_;
    const std::string output_;
    std::map<std::string, Uuid> by_path_;
    std::map<Uuid, Asset> assets_;
};

// An archive as the tileset that it would be.
struct Base {
    ArchiveFile file;
    Tileset tileset;
};

Base open_base(const std::string& path) {
    Base base{open_archive_file(path), {}};
    const tiles::Archive& archive = *base.file.archive;
    const json::value metadata = json::parse(archive.metadata_json());
    if (!archive.geometry()) {
        throw CommandFailed(ExitCode::failed, path + ": not an archive that Tessera made");
    }
    const json::object& own = metadata.at("tessera").as_object();
    if (const json::value* delta = own.if_contains("delta");
        delta != nullptr && delta->is_bool() && delta->get_bool()) {
        throw CommandFailed(ExitCode::failed, path + ": holds only the tiles that a patch changed");
    }
    base.tileset.id = Uuid::random();
    base.tileset.current.geometry = *archive.geometry();
    base.tileset.current.tile_count = static_cast<std::int64_t>(archive.header().addressed_tiles);
    if (const json::value* options = own.if_contains("options")) {
        base.tileset.current.options_json = json::serialize(*options);
    }
    base.tileset.current.layers = {{path, static_cast<std::int64_t>(must(size_of(base.file.file->get())))}};
    return base;
}

// The service's limits are for strangers' files; what is left here is what formats and memory can hold.
operations::SubmitContext without_caps(const Pictures& pictures, const std::optional<Base>& base) {
    operations::SubmitContext context;
    context.find_asset = [&pictures](const Uuid& id) { return pictures.find(id); };
    context.find_tileset = [&base](const Uuid& id) -> Result<Tileset> {
        if (base && base->tileset.id == id) return base->tileset;
        return Error{ErrorCode::tileset_not_found, "there are no tilesets outside the service", {}};
    };
    constexpr std::int64_t no_limit = std::int64_t{1} << 40;
    context.worker = {no_limit, no_limit, no_limit, no_limit, no_limit, no_limit};
    return context;
}

engine::Outcome run_in_engine(engine::Pool& pool, const operations::Operation& operation, const LocalJob& job,
                              const Pictures& pictures, const std::optional<Base>& base,
                              const operations::ResolvedRequest& request) {
    engine::Task task;
    task.request.operation = request.operation;
    task.request.options = request.options;
    std::vector<std::string> paths;
    for (const Uuid& id : operation.images(request.asset_id, request.options)) {
        const Asset asset = must(pictures.find(id));
        task.request.images.push_back({asset.id, asset.image, asset.byte_size});
        paths.push_back(asset.original_filename);
    }
    if (base) task.request.tileset = {base->tileset.id, base->tileset.current};
    task.request.limits.max_input_pixels = std::int64_t{1} << 40;
    task.request.limits.max_output_pixels = std::int64_t{1} << 40;
    task.request.limits.max_artifact_bytes = std::int64_t{1} << 40;
    task.deadline = std::chrono::hours(1);
    task.open_image = [&](std::size_t i) { return open_for_reading(paths[i]); };
    task.open_layer = [&](std::size_t) { return open_for_reading(*job.base); };
    ProgressBar bar(job.show_progress);
    task.progress = [&](double share) { bar.show(share); };
    auto outcome = pool.run(task);
    bar.clear();
    if (!outcome) {
        const std::string subject = job.input.value_or(job.base.value_or(job.output));
        throw CommandFailed(ExitCode::failed, subject + ": " + outcome.error().message + " (" +
                                                  std::string(describe(outcome.error().code).name) + ")");
    }
    return std::move(*outcome);
}

// The delta and what it lies on as one archive.
void fold_over(const Base& base, const fs::path& delta, const fs::path& to) {
    const ArchiveFile changed = open_archive_file(delta);
    const auto folded = tiles::fold({changed.archive, base.file.archive}, to);
    if (!folded) throw CommandFailed(ExitCode::failed, folded.error().detail);
}

// Beside its place first, then over it: a reader never sees half a file.
void put(const fs::path& from, const fs::path& to, Existing existing) {
    const fs::path beside = name_beside(to);
    if (const auto copied = tessera::copy_file(from, beside); !copied) {
        std::error_code ignored;
        fs::remove(beside, ignored);
        throw CommandFailed(ExitCode::failed, to.string() + ": " + copied.error().detail);
    }
    put_in_place(beside, to, existing);
}

std::string beside(const std::string& first, const operations::OutputFile& made) {
    return remote::name_of_further(first, made.kind, made.extension).string();
}

}  // namespace

std::string local_name(const Option& option) {
    constexpr std::string_view in_the_service = "asset_id";
    std::string name(option.name);
    if (option.role == OptionRole::asset && name.ends_with(in_the_service)) {
        name.replace(name.size() - in_the_service.size(), std::string::npos, "file");
    }
    return name;
}

bool needs_base(const operations::Operation& operation) {
    const Option* tileset = operation.options().find(OptionRole::tileset);
    return tileset != nullptr && tileset->is_required;
}

std::vector<LocalProduct> run_local_job(const operations::Operation& operation, LocalJob job) {
    if (job.input) require_other_file(job.output, *job.input);
    if (job.base) require_other_file(job.output, *job.base);
    require_free(job.output, job.existing);
    const TemporaryFolder folder;
    const auto pool = start_local_engine(folder.path() / "engine");
    Pictures pictures(*pool, job.output);
    std::optional<Base> base;
    if (job.base) {
        base = open_base(*job.base);
        job.options[operation.options().find(OptionRole::tileset)->name] = base->tileset.id.to_string();
    }
    std::optional<Uuid> asset_id;
    if (job.input) asset_id = pictures.add(*job.input).id;
    pictures.name_assets(operation.options(), job.options);
    auto options = operation.normalize(job.options, asset_id);
    if (!options) throw CommandFailed(ExitCode::usage, options.error().message);
    const auto request =
        operation.resolve({std::string(operation.name()), asset_id, std::move(*options)}, without_caps(pictures, base));
    if (!request) throw CommandFailed(ExitCode::usage, request.error().message);

    engine::Outcome outcome = run_in_engine(*pool, operation, job, pictures, base, *request);
    operations::OutputFile& product = outcome.manifest.artifacts.at(0);
    fs::path made = outcome.path_of(product.file);
    if (base && outcome.manifest.tileset && outcome.manifest.tileset->is_delta) {
        const fs::path folded = folder.path() / "folded.pmtiles";
        fold_over(*base, made, folded);
        made = folded;
    }
    std::int64_t source_bytes = 0;
    if (asset_id) source_bytes = must(pictures.find(*asset_id)).byte_size;
    if (base) source_bytes = base->tileset.current.layers.front().byte_size;
    if (job.adds_extension) {
        job.output += "." + product.extension;
        require_free(job.output, job.existing);
    } else if (const auto wrong = remote::wrong_name(job.output, product.extension)) {
        throw CommandFailed(ExitCode::failed, *wrong);
    }
    std::vector<LocalProduct> told;
    const auto tell = [&](const fs::path& file, const std::string& to, operations::OutputFile& what) {
        told.push_back({to, std::move(what), static_cast<std::int64_t>(fs::file_size(file)), source_bytes});
        put(file, to, job.existing);
    };
    const auto others = std::span(outcome.manifest.artifacts).subspan(1);
    for (const operations::OutputFile& further : others) {  // all of them, or none
        const std::string name = beside(job.output, further);
        pictures.require_none_is(name);
        require_free(name, job.existing);
    }
    tell(made, job.output, product);
    for (operations::OutputFile& further : others) {
        tell(outcome.path_of(further.file), beside(job.output, further), further);
    }
    return told;
}

}  // namespace tessera::app
