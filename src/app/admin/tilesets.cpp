// tessera admin tileset …
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/names.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/text_table.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::app {
namespace {

void remove(AdminSession& session, const std::string& text) {
    const Uuid id = tileset_id(text);
    if (!must(session.store().tilesets().remove(id)))
        throw CommandFailed(ExitCode::not_found, "there is no tileset " + text);
    session.print(boost::json::object{{"id", id.to_string()}, {"deleted", true}},
                  "tileset " + text + " is deleted; its tiles stop resolving within seconds\n");
}

void list(AdminSession& session, const std::string& slug) {
    const Account account = session.account(slug);
    boost::json::array all;
    TextTable table({"ID", "VERSION", "SIZE", "FORMAT", "TILES", "EXPIRES"});
    for (const Tileset& tileset : must(session.store().tilesets().list(account.id))) {
        const TilesetVersion& current = tileset.current;
        const std::string format(to_string(current.geometry.format));
        const std::string expires = tileset.expires_at ? to_iso8601(*tileset.expires_at) : "";
        all.push_back({{"id", tileset.id.to_string()},
                       {"account", account.slug},
                       {"version", current.version},
                       {"width", current.geometry.width},
                       {"height", current.geometry.height},
                       {"format", format},
                       {"tile_count", current.tile_count},
                       {"created_at", to_iso8601(tileset.created_at)},
                       {"expires_at", expires.empty() ? boost::json::value() : boost::json::value(expires)}});
        table.add({tileset.id.to_string(), std::to_string(current.version),
                   std::to_string(current.geometry.width) + "x" + std::to_string(current.geometry.height), format,
                   std::to_string(current.tile_count), expires.empty() ? "never" : expires});
    }
    session.print(all, all.empty() ? "account " + account.slug + " has no tilesets\n" : table.text());
}

}  // namespace

void add_tileset_commands(CLI::App& admin, AdminSession& session) {
    CLI::App* group = admin.add_subcommand("tileset", "Tilesets")->require_subcommand(1);

    CLI::App* delete_command = group->add_subcommand("delete", "Delete a tileset with all its versions");
    auto id = std::make_shared<std::string>();
    delete_command->add_option("ID", *id, "The tileset's id")->required();
    delete_command->callback([&session, id] { remove(session, *id); });

    add_tileset_export(*group, session);

    CLI::App* list_command = group->add_subcommand("list", "Show an account's tilesets");
    auto slug = std::make_shared<std::string>();
    list_command->add_option("--account", *slug, "The account's slug or id")->required();
    list_command->callback([&session, slug] { list(session, *slug); });

    add_examples(group, {"tessera admin tileset list --account shop",
                         "tessera admin tileset export 01a1dd2e-c250-768d-a4a8-21aaf6c9e74d city.pmtiles"});
    add_examples(delete_command, {"tessera admin tileset delete 01a1dd2e-c250-768d-a4a8-21aaf6c9e74d"});
    add_examples(list_command, {"tessera admin tileset list --account shop"});
}

}  // namespace tessera::app
