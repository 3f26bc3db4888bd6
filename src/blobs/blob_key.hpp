// BlobKey: the name of a blob, checked when it is made, and the keys of everything that the service stores.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::blobs {

// An area and a name in it: two or more segments of [A-Za-z0-9._-] joined by '/'. No segment is empty or starts with a
// dot, so that a key can't leave its folder; it is short enough to be one file name.
class BlobKey {
  public:
    static constexpr std::size_t max_length = 240;

    static Result<BlobKey> parse(std::string_view text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string_view area() const;  // the first segment
    [[nodiscard]] std::string_view name() const;  // all that follows it

    auto operator<=>(const BlobKey&) const = default;

  private:
    explicit BlobKey(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

// Content-addressed: the same bytes of one account are stored once.
Result<BlobKey> asset_key(const Uuid& account, std::string_view sha256_hex);
// Each attempt of a job writes under keys of its own, so that one that lost its lease can't touch another's.
Result<BlobKey> artifact_key(const Uuid& account, const Uuid& job, int attempt, std::string_view name);
Result<BlobKey> tileset_key(const Uuid& account, const Uuid& tileset, const Uuid& job, int attempt);

}  // namespace tessera::blobs
