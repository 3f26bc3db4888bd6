// What a check found wrong: what, where, whose, and what to do about it.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/uuid.hpp"

namespace tessera::app {

enum class FindingKind {
    missing,      // rows name a blob that is not there
    wrong_size,   // it has another size than the rows say
    damaged,      // its bytes are not those that were stored
    unreadable,   // the disk or the store does not give its bytes
    bad_archive,  // an archive of tiles whose directories or tiles can't be read
    orphan,       // a blob that no row names
    stray,        // a file among the blobs that is none
    database,     // the database's own pages, references or sums
    leftover,     // half written by somebody who died: a note, since the service clears it away itself
};

struct Finding {
    FindingKind kind = FindingKind::missing;
    std::string key{};    // of the blob; empty where it is about none
    std::string where{};  // a path, an address of the store, or what the database said
    std::string owner{};  // "asset 01a1… and 2 more rows"
    std::optional<Uuid> account_id{};
    std::string account{};    // its slug, or its id where the account is gone
    std::string detail{};     // "1000 bytes instead of 1234"
    bool of_tileset = false;  // a tileset has it as a layer
    std::string moved_to{};   // set by a repair
};

std::string_view to_string(FindingKind kind);
bool is_note(FindingKind kind);
// Whether a repair may move it: what no row names, and damaged files that are of no use to anybody where they are. An
// archive with a damaged tile still serves the others, so it stays.
bool can_be_moved(const Finding& finding);
std::string what_to_do(const Finding& finding);

// One line.
std::string for_people(const Finding& finding);
boost::json::object to_json(const Finding& finding);
// Of what to_json made; nothing of anything else.
std::optional<Finding> finding_from(const boost::json::object& json);

}  // namespace tessera::app
