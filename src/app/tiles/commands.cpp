#include "app/tiles/commands.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/tiles/open_file.hpp"
#include "app/tiles/serve_archive.hpp"

namespace tessera::app {
namespace {

struct Arguments {
    std::string archive;
    std::string tile;
    std::string output;
    std::string listen = "127.0.0.1:8088";
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
    const ArchiveFile file = open_whole_archive(arguments.archive);
    const auto bytes = file.archive->read_tile(*tile);
    if (!bytes) throw CommandFailed(ExitCode::failed, arguments.archive + ": " + bytes.error().detail);
    if (!*bytes) throw CommandFailed(ExitCode::not_found, name + ": the archive has no such tile");
    const auto& found = **bytes;
    const auto written =
        replace_file(arguments.output, {reinterpret_cast<const char*>(found.data()), found.size()}, 0644);
    if (!written) throw CommandFailed(ExitCode::failed, arguments.output + ": " + written.error().detail);
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
    get->callback([arguments] { get_tile(*arguments); });
    takes_archive(group->add_subcommand("info", "Print what the archive says of itself"))->callback([arguments] {
        std::cout << open_archive_file(arguments->archive).archive->metadata_json() << '\n';
    });
}

}  // namespace tessera::app
