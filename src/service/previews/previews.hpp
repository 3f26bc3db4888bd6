// Small pictures of assets, for whoever may see the asset: its account's keys, and who holds a signed address of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/result.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

using PreviewBytes = std::shared_ptr<const std::string>;

// One that is being made. Whoever waits may leave.
class PendingPreview {
  public:
    virtual ~PendingPreview() = default;
    // `over` is called once, from any thread, now or later.
    virtual void when_over(std::function<void()> over) = 0;
    // It is over for whoever waits, made or not.
    virtual void give_up() = 0;
    // What came of it; `overloaded` while there is nothing.
    [[nodiscard]] virtual Result<PreviewBytes> result() const = 0;
};

// An asset that may be shown.
struct PreviewOf {
    std::string tag;                                // of the preview's bytes, known before they are made
    std::optional<std::int64_t> seconds_left = {};  // of a signed address
    // The bytes where they are at hand; otherwise makes them. Called at most once.
    std::function<Result<std::variant<PreviewBytes, std::shared_ptr<PendingPreview>>>()> open;
};

inline constexpr std::string_view preview_media_type = "image/webp";

class Previews {
  public:
    virtual ~Previews() = default;

    virtual Result<PreviewOf> find(const Principal& principal, std::string_view asset_id) = 0;
    // `expires` and `signature` are those of the asset's content.
    virtual Result<PreviewOf> find_signed(std::string_view asset_id, std::optional<std::string_view> expires,
                                          std::optional<std::string_view> signature) = 0;
};

}  // namespace tessera::service
