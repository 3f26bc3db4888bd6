#include "app/remote/asset_book.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <sstream>

#include "core/file.hpp"

namespace tessera::remote {
namespace {

constexpr std::uint64_t largest_book = std::uint64_t{64} << 20;

}  // namespace

// Lines of "SHA-256 asset", and of a SHA-256 alone where the asset is gone.
Result<AssetBook> AssetBook::open(std::filesystem::path file) {
    AssetBook book;
    book.file_ = std::move(file);
    std::error_code ignored;
    if (!std::filesystem::exists(book.file_, ignored)) return book;
    const auto text = read_whole_file(book.file_, largest_book);
    if (!text) return book;  // it only saves work
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string sha256;
        std::string asset_id;
        words >> sha256 >> asset_id;
        if (sha256.size() != 64) continue;
        if (asset_id.empty()) {
            book.assets_.erase(sha256);
        } else {
            book.assets_[sha256] = asset_id;
        }
    }
    return book;
}

std::optional<std::string> AssetBook::find(const std::string& sha256) const {
    const auto found = assets_.find(sha256);
    if (found == assets_.end()) return std::nullopt;
    return found->second;
}

Result<void> AssetBook::append(const std::string& line) const {
    const UniqueFd fd(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    if (!fd) return from_errno("open " + file_.string());
    return write_all(fd.get(), {reinterpret_cast<const std::uint8_t*>(line.data()), line.size()});
}

Result<void> AssetBook::add(const std::string& sha256, const std::string& asset_id) {
    assets_[sha256] = asset_id;
    return append(sha256 + " " + asset_id + "\n");
}

Result<void> AssetBook::forget(const std::string& sha256) {
    if (assets_.erase(sha256) == 0) return {};
    return append(sha256 + "\n");
}

}  // namespace tessera::remote
