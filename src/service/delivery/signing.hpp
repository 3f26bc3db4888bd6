// Signed addresses: who may fetch an artifact, an asset or the tiles of one tileset version without a key, and until
// when. HMAC-SHA256 in lower-case hex over a labelled text, so that a signature for one thing never fits another.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/uuid.hpp"

namespace tessera::service {

struct SigningConfig {
    std::chrono::seconds artifact_url_lifetime{15 * 60};
    std::chrono::seconds tile_url_lifetime{60 * 60};
};

// What viewers ask for pictures and tiles of a tileset version in, where that is not XYZ.
enum class PictureForm : std::uint8_t { iiif, deep_zoom };

class Signer {
  public:
    static constexpr std::size_t signature_length = 64;

    // The first secret signs, all of them verify: a new one is put in front, and the old one is dropped when the
    // addresses that it signed have expired. At least one.
    Signer(const std::vector<std::string>& secrets, const SigningConfig& config);

    // From here on these are the secrets; readers on other threads go on undisturbed.
    void use(const std::vector<std::string>& secrets);

    // Another number after each use(): what was found valid under one may not be under the next.
    [[nodiscard]] std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

    // When an address that is made now expires, in Unix seconds. Rounded down to a quarter of the lifetime, so that
    // repeated reads give the same address and caches hit; never later than the thing itself.
    [[nodiscard]] std::int64_t artifact_expiry(Timestamp now, std::optional<Timestamp> thing_expires_at) const;
    [[nodiscard]] std::int64_t tile_expiry(Timestamp now, std::optional<Timestamp> thing_expires_at) const;

    [[nodiscard]] std::string sign_artifact(const Uuid& id, std::int64_t expires) const;
    [[nodiscard]] std::string sign_asset(const Uuid& id, std::int64_t expires) const;
    [[nodiscard]] std::string sign_tileset(const Uuid& id, std::int64_t version, std::int64_t expires) const;

    [[nodiscard]] std::string sign_pictures(PictureForm form, const Uuid& id, std::int64_t version,
                                            std::int64_t expires) const;
    [[nodiscard]] std::string sign_asset_pictures(const Uuid& id, std::int64_t expires) const;

    // In constant time, without allocating. False as well when `expires` has passed.
    [[nodiscard]] bool verify_artifact(const Uuid& id, std::int64_t expires, std::string_view signature,
                                       Timestamp now) const;
    [[nodiscard]] bool verify_asset(const Uuid& id, std::int64_t expires, std::string_view signature,
                                    Timestamp now) const;
    [[nodiscard]] bool verify_tileset(const Uuid& id, std::int64_t version, std::int64_t expires,
                                      std::string_view signature, Timestamp now) const;
    [[nodiscard]] bool verify_pictures(PictureForm form, const Uuid& id, std::int64_t version, std::int64_t expires,
                                       std::string_view signature, Timestamp now) const;
    [[nodiscard]] bool verify_asset_pictures(const Uuid& id, std::int64_t expires, std::string_view signature,
                                             Timestamp now) const;

  private:
    [[nodiscard]] bool verify(std::string_view message, std::int64_t expires, std::string_view signature,
                              Timestamp now) const;

    using Keys = std::vector<HmacSha256>;
    [[nodiscard]] const Keys& keys() const { return *current_.load(std::memory_order_acquire); }

    // Lists that were replaced are kept, because a reader may still be in one: rotations are rare, and signatures are
    // checked on every tile, so reading must cost no lock and no count.
    std::mutex replacing_;
    std::vector<std::unique_ptr<const Keys>> all_;
    std::atomic<const Keys*> current_{nullptr};
    std::atomic<std::uint64_t> generation_{0};
    SigningConfig config_;
};

// `expires` as it stands in an address: decimal digits without sign or leading zero. Anything else is no time.
std::optional<std::int64_t> parse_expires(std::string_view text);
Error expires_is_no_time();

}  // namespace tessera::service
