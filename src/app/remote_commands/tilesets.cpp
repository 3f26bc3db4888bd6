// tessera remote tilesets: what there is, where its tiles are, and an end to one.
#include <CLI/App.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>

#include "app/examples.hpp"
#include "app/remote_commands/listing.hpp"
#include "app/remote_commands/session.hpp"
#include "app/text_table.hpp"
#include "core/plain_numbers.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using remote::number_at;
using remote::text_at;

constexpr std::string_view some_tileset = "01a1dd2e-c250-768d-a4a8-21aaf6c9e74d";

struct TilesetsArguments {
    std::string id;
    std::size_t most = 20;
    bool as_json = false;
};

std::string size_of_picture(const json::object& tileset) {
    return std::to_string(number_at(tileset, "width")) + " x " + std::to_string(number_at(tileset, "height"));
}

void list(const TilesetsArguments& arguments, const RemoteOptions& options) {
    RemoteSession session(options);
    const json::array tilesets = listed(session, "/v1/tilesets", "tilesets", "", arguments.most);
    if (arguments.as_json) {
        for (const json::value& each : tilesets) std::cout << with_plain_numbers(json::serialize(each)) << '\n';
        return;
    }
    if (tilesets.empty()) {
        std::cout << "There are no tilesets yet: `tessera remote run tile` makes one.\n";
        return;
    }
    TextTable table({"TILESET", "VERSION", "PIXELS", "FORMAT", "ZOOMS", "TILES", "EXPIRES (UTC)"});
    for (const json::value& each : tilesets) {
        const json::object& tileset = each.get_object();
        table.add({text_at(tileset, "id"), std::to_string(number_at(tileset, "version")), size_of_picture(tileset),
                   text_at(tileset, "format"), "0-" + std::to_string(number_at(tileset, "max_zoom")),
                   std::to_string(number_at(tileset, "tile_count")), when(tileset, "expires_at")});
    }
    std::cout << table.text();
}

// Signed addresses where the account has them, else the one that takes a key.
std::string template_of(const RemoteSession& session, const json::object& tileset, const json::object& version) {
    std::string signed_one = text_at(version, "tile_url_template");
    if (!signed_one.empty()) return signed_one;
    if (number_at(version, "version") != number_at(tileset, "version")) return {};
    return session.service().address().text() + "/v1/tilesets/" + text_at(tileset, "id") + "/xyz/{z}/{x}/{y}." +
           (text_at(tileset, "format") == "jpeg" ? "jpg" : text_at(tileset, "format")) + " (with a key)";
}

void show(const TilesetsArguments& arguments, const RemoteOptions& options) {
    const std::string id = id_of(arguments.id, "tileset");
    RemoteSession session(options);
    const json::object tileset = session.object(session.service().get("/v1/tilesets/" + id), "tileset " + id);
    if (arguments.as_json) {
        std::cout << with_plain_numbers(json::serialize(tileset)) << '\n';
        return;
    }
    TextTable table({"tileset", text_at(tileset, "id")});
    table.add({"picture", size_of_picture(tileset) + " pixels, " + text_at(tileset, "format")});
    table.add({"tiles", std::to_string(number_at(tileset, "tile_count")) + " of " +
                            std::to_string(number_at(tileset, "tile_size")) + " pixels, zooms 0-" +
                            std::to_string(number_at(tileset, "max_zoom"))});
    table.add({"made", when(tileset, "created_at")});
    if (const std::string expires = when(tileset, "expires_at"); !expires.empty()) table.add({"expires", expires});
    const json::value* versions = tileset.if_contains("versions");
    const json::array none;
    for (const json::value& each : versions != nullptr && versions->is_array() ? versions->get_array() : none) {
        if (!each.is_object()) continue;
        const json::object& version = each.get_object();
        const std::string where = template_of(session, tileset, version);
        table.add({"version " + std::to_string(number_at(version, "version")),
                   when(version, "created_at") + (where.empty() ? "" : "  " + where)});
    }
    std::cout << table.text();
}

void remove(const TilesetsArguments& arguments, const RemoteOptions& options) {
    const std::string id = id_of(arguments.id, "tileset");
    RemoteSession session(options);
    const remote::Answer answer = session.call(session.service().remove("/v1/tilesets/" + id));
    if (!answer.ok()) end_command(remote::refusal_of(answer), "tileset " + id);
    if (!arguments.as_json) std::cout << "The tileset is deleted, with all its versions.\n";
}

}  // namespace

void add_remote_tilesets_commands(CLI::App& remote, const SharedRemoteOptions& options) {
    CLI::App* group =
        remote.add_subcommand("tilesets", "The account's tilesets, newest first")->require_subcommand(0, 1);
    auto arguments = std::make_shared<TilesetsArguments>();
    group->add_option("--limit", arguments->most, "How many")->check(CLI::Range(1, 1'000'000))->capture_default_str();
    group->add_flag("--json", arguments->as_json, "Print JSON for programs");
    group->callback([arguments, options, group] {
        if (group->get_subcommands().empty()) list(*arguments, *options);
    });
    add_examples(group, {"tessera remote tilesets", "tessera remote tilesets --json --limit 100"});
    const std::string id(some_tileset);
    CLI::App* one = group->add_subcommand("show", "One tileset: its versions, and the addresses of their tiles");
    one->add_option("TILESET", arguments->id, "Its id")->required();
    one->callback([arguments, options] { show(*arguments, *options); });
    add_examples(one, {"tessera remote tilesets show " + id});
    CLI::App* gone = group->add_subcommand("delete", "Delete one, with all its versions; it can't be had back");
    gone->add_option("TILESET", arguments->id, "Its id")->required();
    gone->callback([arguments, options] { remove(*arguments, *options); });
    add_examples(gone, {"tessera remote tilesets delete " + id});
}

}  // namespace tessera::app
