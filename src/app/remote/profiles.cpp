#include "app/remote/profiles.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstdlib>

#include "core/file.hpp"

namespace tessera::remote {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = 1 << 20;

Error trouble(std::string text) {
    return {ErrorCode::invalid_request, std::move(text), {}};
}

// Keys in a file that others can read are no secret any more.
Result<void> require_private(const fs::path& path, mode_t allowed) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return from_errno(path.string());
    if (found.st_uid != ::geteuid()) return trouble(path.string() + ": belongs to somebody else");
    if ((found.st_mode & 0777 & ~allowed) == 0) return {};
    return trouble(path.string() + ": others can read or change it; run: chmod " + (allowed == 0700 ? "700 " : "600 ") +
                   path.string());
}

Result<fs::path> folder_under(const char* variable, const char* in_home) {
    // A relative path is to be ignored, as the standard of these variables says.
    if (const char* given = std::getenv(variable); given != nullptr && given[0] == '/') return fs::path(given);
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return fs::path(home) / in_home;
    return trouble(std::string("neither ") + variable + " nor HOME names a folder");
}

std::string text_in(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

Result<fs::path> profiles_file() {
    auto folder = folder_under("XDG_CONFIG_HOME", ".config");
    if (!folder) return folder.error();
    return *folder / "tessera" / "remote.json";
}

Result<fs::path> state_folder() {
    auto folder = folder_under("XDG_STATE_HOME", ".local/state");
    if (!folder) return folder.error();
    return *folder / "tessera" / "remote";
}

Result<void> make_private_folder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
    if (errno != ENOENT || !folder.has_parent_path()) return from_errno(folder.string());
    if (auto made = make_private_folder(folder.parent_path()); !made) return made;
    if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
    return from_errno(folder.string());
}

Result<Profiles> Profiles::load(fs::path file) {
    Profiles profiles;
    profiles.file_ = std::move(file);
    std::error_code ignored;
    if (!fs::exists(profiles.file_, ignored)) return profiles;
    if (auto safe = require_private(profiles.file_.parent_path(), 0700); !safe) return safe.error();
    if (auto safe = require_private(profiles.file_, 0600); !safe) return safe.error();
    const auto text = read_whole_file(profiles.file_, largest_file);
    if (!text) return text.error();
    boost::system::error_code failed;
    const json::value whole = json::parse(*text, failed);
    const json::value* all = failed || !whole.is_object() ? nullptr : whole.get_object().if_contains("profiles");
    if (all == nullptr || !all->is_object())
        return trouble(profiles.file_.string() + ": not a file of profiles; remove it and log in again");
    for (const auto& [name, value] : all->get_object()) {
        if (!value.is_object()) continue;
        profiles.profiles_[std::string(name)] = {text_in(value.get_object(), "url"),
                                                 text_in(value.get_object(), "api_key")};
    }
    return profiles;
}

Result<void> Profiles::save() const {
    if (auto made = make_private_folder(file_.parent_path()); !made) return made;
    if (auto safe = require_private(file_.parent_path(), 0700); !safe) return safe;
    json::object all;
    for (const auto& [name, profile] : profiles_)
        all[name] = json::object{{"url", profile.url}, {"api_key", profile.key}};
    return replace_file(file_, json::serialize(json::object{{"profiles", std::move(all)}}) + "\n", 0600);
}

const Profile* Profiles::find(const std::string& name) const {
    const auto found = profiles_.find(name);
    return found == profiles_.end() ? nullptr : &found->second;
}

void Profiles::set(const std::string& name, Profile profile) {
    profiles_[name] = std::move(profile);
}

bool Profiles::remove(const std::string& name) {
    return profiles_.erase(name) > 0;
}

}  // namespace tessera::remote
