#include "app/remote_commands/listing.hpp"

#include <algorithm>

#include "app/command_failed.hpp"
#include "core/uuid.hpp"

namespace tessera::app {
namespace {

constexpr std::size_t largest_page = 100;

}  // namespace

boost::json::array listed(RemoteSession& session, const std::string& path, std::string_view name,
                          const std::string& query, std::size_t most) {
    boost::json::array all;
    std::string cursor;
    while (all.size() < most) {
        std::string target = path + "?limit=" + std::to_string(std::min(largest_page, most - all.size())) + query;
        if (!cursor.empty()) target += "&cursor=" + remote::in_query(cursor);
        boost::json::object page = session.object(session.service().get(target));
        boost::json::value* items = page.if_contains(name);
        if (items == nullptr || !items->is_array()) break;
        for (boost::json::value& item : items->get_array()) {
            if (item.is_object()) all.push_back(std::move(item));
        }
        // A page may be empty and not be the last: only the cursor says that.
        cursor = remote::text_at(page, "next_cursor");
        if (cursor.empty()) break;
    }
    return all;
}

std::string id_of(const std::string& typed, std::string_view what) {
    const auto id = Uuid::parse(typed);
    if (!id) throw CommandFailed(ExitCode::usage, typed + ": not the id of a " + std::string(what));
    return id->to_string();
}

std::string when(const boost::json::object& object, std::string_view name) {
    std::string text = remote::text_at(object, name).substr(0, 19);
    std::ranges::replace(text, 'T', ' ');
    return text;
}

}  // namespace tessera::app
