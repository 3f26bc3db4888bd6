#include "app/config/setting.hpp"

#include <algorithm>
#include <cctype>

namespace tessera::app {
namespace {

// postgresql://user:secret@host/db → postgresql://user:***@host/db; the same for a password in the query.
std::string without_password(std::string url) {
    const std::size_t scheme = url.find("://");
    if (scheme != std::string::npos) {
        const std::size_t begin = scheme + 3;
        const std::size_t end = url.find_first_of("/?#", begin);
        const std::size_t at = url.rfind('@', end);
        const std::size_t colon = url.find(':', begin);
        if (at != std::string::npos && at > begin && colon != std::string::npos && colon < at) {
            url.replace(colon + 1, at - colon - 1, "***");
        }
    }
    for (const std::string_view name : {"password=", "secret_access_key=", "secret="}) {
        for (std::size_t found = url.find(name); found != std::string::npos; found = url.find(name, found)) {
            found += name.size();
            const std::size_t end = std::min(url.find_first_of("&# ", found), url.size());
            url.replace(found, end - found, "***");
        }
    }
    return url;
}

}  // namespace

std::string Setting::environment_name() const {
    std::string name = "TESSERA_";
    for (const char c : name_) {
        if (c == '.') {
            name += "__";
        } else {
            name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        }
    }
    return name;
}

std::string Setting::shown_in(const Config& config) const {
    std::string value = value_in(config);
    switch (secrecy_) {
        case Secrecy::open: return value;
        case Secrecy::hidden: return value.empty() ? value : "(hidden)";
        case Secrecy::url_password: return without_password(value);
    }
    return value;
}

RawValue Setting::from_file_in(const std::filesystem::path& folder, RawValue raw) const {
    std::string* text = std::get_if<std::string>(&raw);
    if (!path_prefix_ || text == nullptr || !text->starts_with(*path_prefix_)) return raw;
    const std::string path = text->substr(path_prefix_->size());
    if (!path.empty()) *text = std::string(*path_prefix_) + (folder / path).lexically_normal().string();
    return raw;
}

const Setting* find_setting(std::string_view name) {
    const auto& settings = all_settings();
    const auto found =
        std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.name() == name; });
    return found == settings.end() ? nullptr : &*found;
}

}  // namespace tessera::app
