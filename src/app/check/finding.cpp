#include "app/check/finding.hpp"

#include <array>
#include <utility>

namespace tessera::app {
namespace {

constexpr std::array<std::pair<FindingKind, std::string_view>, 9> names{{
    {FindingKind::missing, "missing"},
    {FindingKind::wrong_size, "wrong_size"},
    {FindingKind::damaged, "damaged"},
    {FindingKind::unreadable, "unreadable"},
    {FindingKind::bad_archive, "bad_archive"},
    {FindingKind::orphan, "orphan"},
    {FindingKind::stray, "stray"},
    {FindingKind::database, "database"},
    {FindingKind::leftover, "leftover"},
}};

std::string text_of(const boost::json::object& json, std::string_view name) {
    const boost::json::value* value = json.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

// How whoever owns it gets it back.
std::string way_back(const Finding& finding) {
    if (finding.of_tileset) {
        return "put it back from a backup, or rebuild the tileset with a tile job, or remove it: tessera admin tileset "
               "delete";
    }
    if (finding.owner.starts_with("asset")) {
        return "put it back from a backup, or have the same picture uploaded again, which stores it anew";
    }
    return "put it back from a backup, or have the job run again";
}

}  // namespace

std::string_view to_string(FindingKind kind) {
    for (const auto& [of, name] : names) {
        if (of == kind) return name;
    }
    return "";
}

bool is_note(FindingKind kind) {
    return kind == FindingKind::leftover;
}

bool can_be_moved(const Finding& finding) {
    switch (finding.kind) {
        case FindingKind::orphan:
        case FindingKind::stray: return true;
        case FindingKind::wrong_size:
        case FindingKind::damaged: return !finding.of_tileset;
        default: return false;
    }
}

std::string what_to_do(const Finding& finding) {
    if (!finding.moved_to.empty() && finding.kind != FindingKind::wrong_size && finding.kind != FindingKind::damaged) {
        return "look at it there, and delete it when nobody wants it";
    }
    switch (finding.kind) {
        case FindingKind::missing:
        case FindingKind::wrong_size:
        case FindingKind::damaged:
        case FindingKind::bad_archive: return way_back(finding);
        case FindingKind::unreadable: return "look at the disk or the store, and at the log of the machine";
        case FindingKind::orphan: return "--repair moves it aside; the service deletes such blobs after a while, too";
        case FindingKind::stray: return "--repair moves it aside";
        case FindingKind::database: return "restore a backup, or tell the developers";
        case FindingKind::leftover: return "nothing: the service clears it away";
    }
    return {};
}

std::string for_people(const Finding& finding) {
    std::string line(to_string(finding.kind));
    line += ": ";
    if (!finding.owner.empty()) line += finding.owner + ", ";
    if (!finding.account.empty()) line += "account " + finding.account + ", ";
    line += finding.where;
    if (!finding.detail.empty()) line += ": " + finding.detail;
    if (!finding.moved_to.empty()) line += "; moved to " + finding.moved_to;
    return line + "; what to do: " + what_to_do(finding);
}

boost::json::object to_json(const Finding& finding) {
    boost::json::object json{{"finding", to_string(finding.kind)}, {"where", finding.where}};
    const auto add = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) json[name] = text;
    };
    add("key", finding.key);
    add("owner", finding.owner);
    add("account", finding.account);
    if (finding.account_id) json["account_id"] = finding.account_id->to_string();
    add("detail", finding.detail);
    if (finding.of_tileset) json["of_tileset"] = true;
    add("moved_to", finding.moved_to);
    json["what_to_do"] = what_to_do(finding);
    return json;
}

std::optional<Finding> finding_from(const boost::json::object& json) {
    const std::string kind = text_of(json, "finding");
    for (const auto& [of, name] : names) {
        if (name != kind) continue;
        Finding finding{.kind = of,
                        .key = text_of(json, "key"),
                        .where = text_of(json, "where"),
                        .owner = text_of(json, "owner"),
                        .account_id = Uuid::parse(text_of(json, "account_id")),
                        .account = text_of(json, "account"),
                        .detail = text_of(json, "detail"),
                        .of_tileset = json.contains("of_tileset"),
                        .moved_to = text_of(json, "moved_to")};
        return finding;
    }
    return std::nullopt;
}

}  // namespace tessera::app
