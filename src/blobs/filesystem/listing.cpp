#include "blobs/filesystem/listing.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

// Nothing for what is not a folder: somebody's stray file does no harm.
Result<std::vector<std::string>> sorted_names(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        names.push_back(it->path().filename().string());
    if (error == std::errc::not_a_directory) return names;
    if (error) return storage_unavailable("list " + folder.string() + ": " + error.message());
    std::ranges::sort(names);
    return names;
}

// Nothing when the file went away meanwhile.
std::optional<BlobEntry> entry_of(BlobKey key, const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    const auto modified =
        std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
    return BlobEntry{std::move(key), static_cast<std::uint64_t>(status.st_size),
                     Timestamp(std::chrono::duration_cast<Millis>(modified))};
}

bool area_may_match(std::string_view area, std::string_view prefix) {
    const auto slash = prefix.find('/');
    return slash == std::string_view::npos ? area.starts_with(prefix) : area == prefix.substr(0, slash);
}

// The last file of the page before: area, folder and name. Each file sorts by the three in this order.
struct Position {
    std::string area;
    std::string folder;
    std::string name;

    auto operator<=>(const Position&) const = default;

    [[nodiscard]] std::string text() const { return area + "/" + folder + "/" + name; }
    static Result<Position> parse(std::string_view text) {
        const auto first = text.find('/');
        const auto second = first == std::string_view::npos ? first : text.find('/', first + 1);
        if (second == std::string_view::npos) return internal_error("not a position in a listing");
        return Position{std::string(text.substr(0, first)), std::string(text.substr(first + 1, second - first - 1)),
                        std::string(text.substr(second + 1))};
    }
};

}  // namespace

Result<BlobPage> list_files(const Layout& layout, std::string_view prefix, const std::optional<std::string>& from,
                            std::size_t limit) {
    Position after;
    if (from) {
        auto parsed = Position::parse(*from);
        if (!parsed) return parsed.error();
        after = *std::move(parsed);
    }

    BlobPage page;
    Position last;
    const auto areas = sorted_names(layout.root());
    if (!areas) return areas.error();
    for (const auto& area : *areas) {
        if (area < after.area || !area_may_match(area, prefix)) continue;
        const auto folders = sorted_names(layout.root() / area);
        if (!folders) return folders.error();
        for (const auto& folder : *folders) {
            if (Position{area, folder, "\xff"} < after) continue;
            const auto names = sorted_names(layout.root() / area / folder);
            if (!names) return names.error();
            for (const auto& name : *names) {
                Position here{area, folder, name};
                if (here <= after) continue;
                auto key = Layout::key_of(area, name);
                if (!key || !key->text().starts_with(prefix)) continue;
                auto entry = entry_of(*std::move(key), layout.root() / area / folder / name);
                if (!entry) continue;
                if (page.entries.size() == limit) {
                    page.next = last.text();
                    return page;
                }
                page.entries.push_back(*std::move(entry));
                last = std::move(here);
            }
        }
    }
    return page;
}

}  // namespace tessera::blobs
