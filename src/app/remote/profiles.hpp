// Services that one has logged in to, each under a name: a file that nobody else can read.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace tessera::remote {

struct Profile {
    std::string url;
    std::string key;
};

class Profiles {
  public:
    // Nothing is there before the first login. A file that others can read is refused.
    static Result<Profiles> load(std::filesystem::path file);
    // Writes it anew, whole, mode 0600, in a folder of mode 0700.
    Result<void> save() const;

    [[nodiscard]] const Profile* find(const std::string& name) const;
    [[nodiscard]] const std::map<std::string, Profile>& all() const { return profiles_; }
    void set(const std::string& name, Profile profile);
    bool remove(const std::string& name);  // whether it was there

  private:
    std::filesystem::path file_;
    std::map<std::string, Profile> profiles_;
};

// $XDG_CONFIG_HOME/tessera/remote.json, or the same under ~/.config.
Result<std::filesystem::path> profiles_file();
// $XDG_STATE_HOME/tessera/remote, or the same under ~/.local/state.
Result<std::filesystem::path> state_folder();
// Makes it, and those above it, for this user alone where they are not there yet.
Result<void> make_private_folder(const std::filesystem::path& folder);

}  // namespace tessera::remote
