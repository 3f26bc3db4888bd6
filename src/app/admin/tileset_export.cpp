// tessera admin tileset export: a version as one archive.
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/hints.hpp"
#include "app/put_in_place.hpp"
#include "app/stores.hpp"
#include "blobs/blob_store.hpp"
#include "metadata/audit.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"
#include "service/upkeep/layer_files.hpp"
#include "tiles/archive/fold.hpp"

namespace tessera::app {
namespace {

struct Wanted {
    std::string id;
    std::int64_t version = 0;  // 0: the current one
    std::string file;
    bool force = false;
};

Tileset find(AdminSession& session, const Wanted& wanted) {
    const Uuid id = tileset_id(wanted.id);
    metadata::Tilesets& tilesets = session.store().tilesets();
    const auto found = must(wanted.version == 0 ? tilesets.find_any(id) : tilesets.find_version(id, wanted.version));
    if (found) return *found;
    const std::string version = wanted.version == 0 ? "" : "version " + std::to_string(wanted.version) + " of ";
    throw CommandFailed(ExitCode::not_found, "there is no " + version + "tileset " + wanted.id);
}

void export_version(AdminSession& session, const Wanted& wanted) {
    const Existing existing = wanted.force ? Existing::replace : Existing::keep;
    require_free(wanted.file, existing);
    const Tileset tileset = find(session, wanted);
    must(session.store().audit().record({"tileset.export", tileset.account_id, tileset.id.to_string()}));
    const auto blobs = must(open_blobs(session.config(), session.folder()));
    const service::LayerFiles layers = must(service::open_layer_files(*blobs, tileset.current.layers));
    const std::filesystem::path beside = name_beside(wanted.file);
    const auto folded = tiles::fold(layers.topmost_first, beside);
    if (!folded) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
    }
    const tiles::ArchiveSummary made = must(folded);
    put_in_place(beside, wanted.file, existing);
    session.print(boost::json::object{{"id", tileset.id.to_string()},
                                      {"version", tileset.current.version},
                                      {"file", wanted.file},
                                      {"byte_size", made.byte_size}},
                  "version " + std::to_string(tileset.current.version) + " is in " + wanted.file + "; to look at it: " +
                      shell_word(name_of_this_program()) + " tiles serve " + shell_word(wanted.file) + "\n");
}

}  // namespace

void add_tileset_export(CLI::App& group, AdminSession& session) {
    CLI::App* command = group.add_subcommand(
        "export", "Write a version with all its patches to one PMTiles archive, which any client can read");
    auto wanted = std::make_shared<Wanted>();
    command->add_option("ID", wanted->id, "The tileset's id")->required();
    command->add_option("FILE", wanted->file, "Where to, such as map.pmtiles")->required();
    command->add_option("--version", wanted->version, "An older version that is still kept; else the current one");
    command->add_flag("--force", wanted->force, "Replace FILE if it is there");
    command->callback([&session, wanted] { export_version(session, *wanted); });
    add_examples(command, {"tessera admin tileset export 01a1dd2e-c250-768d-a4a8-21aaf6c9e74d city.pmtiles",
                           "tessera admin tileset export 01a1dd2e-c250-768d-a4a8-21aaf6c9e74d city.pmtiles --version 1 "
                           "--force"});
}

}  // namespace tessera::app
