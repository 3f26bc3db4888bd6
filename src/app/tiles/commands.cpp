#include "app/tiles/commands.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/examples.hpp"
#include "app/put_in_place.hpp"
#include "app/tiles/archive_info.hpp"
#include "app/tiles/open_file.hpp"
#include "app/tiles/serve_archive.hpp"

namespace tessera::app {
namespace {

struct Arguments {
    std::string archive;
    std::string tile;
    std::string output;
    std::string listen = "127.0.0.1:8088";
    bool force = false;
    bool json = false;
};

ArchiveFile open_whole_archive(const std::string& path) {
    ArchiveFile file = open_archive_file(path);
    if (!file.archive->has_recipes()) return file;
    throw CommandFailed(ExitCode::failed,
                        path +
                            ": this is what a patch changed, and of no use without the tiles below it; "
                            "tessera admin tileset export ID OUT.pmtiles writes all of a tileset");
}

void get_tile(const Arguments& arguments) {
    const std::string& name = arguments.tile;
    const std::size_t first = name.find('/');
    const std::size_t second = name.find('/', first + 1);
    const auto tile = second == std::string::npos
                          ? std::nullopt
                          : tiles::TileCoord::parse(name.substr(0, first), name.substr(first + 1, second - first - 1),
                                                    name.substr(second + 1));
    if (!tile)
        throw CommandFailed(ExitCode::usage, name + ": not a tile; one is written zoom/column/row, such as 3/2/5");
    const Existing existing = arguments.force ? Existing::replace : Existing::keep;
    const ArchiveFile file = open_whole_archive(arguments.archive);
    require_other_file(arguments.output, arguments.archive);
    require_free(arguments.output, existing);
    const auto bytes = file.archive->read_tile(*tile);
    if (!bytes) throw CommandFailed(ExitCode::failed, arguments.archive + ": " + bytes.error().detail);
    if (!*bytes) throw CommandFailed(ExitCode::not_found, name + ": the archive has no such tile");
    const auto& found = **bytes;
    const std::filesystem::path beside = name_beside(arguments.output);
    const auto written = replace_file(beside, {reinterpret_cast<const char*>(found.data()), found.size()}, 0644);
    if (!written) throw CommandFailed(ExitCode::failed, arguments.output + ": " + written.error().detail);
    put_in_place(beside, arguments.output, existing);
}

}  // namespace

void add_tiles_commands(CLI::App& app, int& exit_code) {
    CLI::App* group =
        app.add_subcommand("tiles", "Look at an archive of tiles, without the service")->require_subcommand(1);
    auto arguments = std::make_shared<Arguments>();
    const auto takes_archive = [&](CLI::App* command) {
        command->add_option("FILE", arguments->archive, "A PMTiles archive")->required();
        return command;
    };
    CLI::App* serve = takes_archive(group->add_subcommand("serve", "Show it in a browser"));
    serve->add_option("--listen", arguments->listen, "Address to serve on; port 0: any free one")
        ->capture_default_str();
    serve->callback([arguments, &exit_code] {
        const std::string name = std::filesystem::path(arguments->archive).filename().string();
        exit_code = serve_archive(open_whole_archive(arguments->archive), name, arguments->listen);
    });
    CLI::App* get = takes_archive(group->add_subcommand("get", "Write one tile to a file"));
    get->add_option("TILE", arguments->tile, "zoom/column/row")->required();
    get->add_option("OUT", arguments->output, "Where the tile goes")->required();
    get->add_flag("--force", arguments->force, "Replace OUT if it is there");
    get->callback([arguments] { get_tile(*arguments); });
    CLI::App* info = takes_archive(group->add_subcommand("info", "Say what the archive holds"));
    info->add_flag("--json", arguments->json, "Print JSON for programs");
    info->callback([arguments] {
        const ArchiveInfo found(arguments->archive);
        std::cout << (arguments->json ? found.for_programs() + "\n" : found.for_people());
    });
    add_examples(group, {"tessera tiles info map.pmtiles", "tessera tiles serve map.pmtiles"});
    add_examples(serve, {"tessera tiles serve map.pmtiles", "tessera tiles serve map.pmtiles --listen 127.0.0.1:0"});
    add_examples(get, {"tessera tiles get map.pmtiles 0/0/0 overview.png"});
    add_examples(info, {"tessera tiles info map.pmtiles", "tessera tiles info --json map.pmtiles"});
}

}  // namespace tessera::app
