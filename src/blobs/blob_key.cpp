#include "blobs/blob_key.hpp"

#include <algorithm>

namespace tessera::blobs {

namespace {

bool allowed(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

bool valid_segment(std::string_view segment) {
    return !segment.empty() && segment.front() != '.' && std::ranges::all_of(segment, allowed);
}

bool valid(std::string_view text) {
    if (text.size() > BlobKey::max_length || text.find('/') == std::string_view::npos) return false;
    for (;;) {
        const auto slash = text.find('/');
        if (!valid_segment(text.substr(0, slash))) return false;
        if (slash == std::string_view::npos) return true;
        text.remove_prefix(slash + 1);
    }
}

}  // namespace

Result<BlobKey> BlobKey::parse(std::string_view text) {
    if (!valid(text)) return internal_error("not a blob key: " + std::string(text.substr(0, max_length)));
    return BlobKey(std::string(text));
}

std::string_view BlobKey::area() const {
    return std::string_view(text_).substr(0, text_.find('/'));
}

std::string_view BlobKey::name() const {
    return std::string_view(text_).substr(text_.find('/') + 1);
}

Result<BlobKey> asset_key(const Uuid& account, std::string_view sha256_hex) {
    return BlobKey::parse("assets/" + account.to_string() + "/" + std::string(sha256_hex));
}

Result<BlobKey> artifact_key(const Uuid& account, const Uuid& job, int attempt, std::string_view name) {
    return BlobKey::parse("artifacts/" + account.to_string() + "/" + job.to_string() + "/" + std::to_string(attempt) +
                          "/" + std::string(name));
}

Result<BlobKey> tileset_key(const Uuid& account, const Uuid& tileset, const Uuid& job, int attempt) {
    return BlobKey::parse("tilesets/" + account.to_string() + "/" + tileset.to_string() + "/" + job.to_string() + "-" +
                          std::to_string(attempt) + ".pmtiles");
}

}  // namespace tessera::blobs
