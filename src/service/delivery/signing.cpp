#include "service/delivery/signing.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

#include "core/hex.hpp"

namespace tessera::service {
namespace {

// The text that is signed, one part a line, built on the stack: a tile's signature is checked on every request.
class Message {
  public:
    explicit Message(std::string_view label) { add(label); }

    Message& line(const Uuid& id) {
        add("\n");
        id.write(text_.data() + length_);
        length_ += Uuid::text_length;
        return *this;
    }
    Message& line(std::int64_t number) {
        add("\n");
        const auto end = std::to_chars(text_.data() + length_, text_.data() + text_.size(), number).ptr;
        length_ = static_cast<std::size_t>(end - text_.data());
        return *this;
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), length_}; }

  private:
    void add(std::string_view part) {
        std::copy(part.begin(), part.end(), text_.data() + length_);
        length_ += part.size();
    }
    std::array<char, 128> text_;
    std::size_t length_ = 0;
};

Message artifact_message(const Uuid& id, std::int64_t expires) {
    return Message("artifact").line(id).line(expires);
}
Message asset_message(const Uuid& id, std::int64_t expires) {
    return Message("asset").line(id).line(expires);
}
Message tileset_message(const Uuid& id, std::int64_t version, std::int64_t expires) {
    return Message("tileset").line(id).line(version).line(expires);
}

Message pictures_message(PictureForm form, const Uuid& id, std::int64_t version, std::int64_t expires) {
    return Message(form == PictureForm::iiif ? "iiif" : "dzi").line(id).line(version).line(expires);
}

Message asset_pictures_message(const Uuid& id, std::int64_t expires) {
    return Message("asset-iiif").line(id).line(expires);
}

std::int64_t rounded_expiry(Timestamp now, std::chrono::seconds lifetime, std::optional<Timestamp> limit) {
    const std::int64_t step = std::max<std::int64_t>(1, lifetime.count() / 4);
    const std::int64_t latest = to_unix_seconds(now) + lifetime.count();
    const std::int64_t expiry = latest - latest % step;
    return limit ? std::min(expiry, to_unix_seconds(*limit)) : expiry;
}

}  // namespace

Signer::Signer(const std::vector<std::string>& secrets, const SigningConfig& config) : config_(config) {
    use(secrets);
}

void Signer::use(const std::vector<std::string>& secrets) {
    assert(!secrets.empty());
    const std::lock_guard lock(replacing_);
    all_.push_back(std::make_unique<const Keys>(secrets.begin(), secrets.end()));
    current_.store(all_.back().get(), std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_release);
}

std::int64_t Signer::artifact_expiry(Timestamp now, std::optional<Timestamp> thing_expires_at) const {
    return rounded_expiry(now, config_.artifact_url_lifetime, thing_expires_at);
}
std::int64_t Signer::tile_expiry(Timestamp now, std::optional<Timestamp> thing_expires_at) const {
    return rounded_expiry(now, config_.tile_url_lifetime, thing_expires_at);
}

std::string Signer::sign_artifact(const Uuid& id, std::int64_t expires) const {
    return to_hex(keys().front().sign(artifact_message(id, expires).text()));
}
std::string Signer::sign_asset(const Uuid& id, std::int64_t expires) const {
    return to_hex(keys().front().sign(asset_message(id, expires).text()));
}
std::string Signer::sign_tileset(const Uuid& id, std::int64_t version, std::int64_t expires) const {
    return to_hex(keys().front().sign(tileset_message(id, version, expires).text()));
}
std::string Signer::sign_pictures(PictureForm form, const Uuid& id, std::int64_t version, std::int64_t expires) const {
    return to_hex(keys().front().sign(pictures_message(form, id, version, expires).text()));
}

std::string Signer::sign_asset_pictures(const Uuid& id, std::int64_t expires) const {
    return to_hex(keys().front().sign(asset_pictures_message(id, expires).text()));
}

bool Signer::verify_artifact(const Uuid& id, std::int64_t expires, std::string_view signature, Timestamp now) const {
    return verify(artifact_message(id, expires).text(), expires, signature, now);
}
bool Signer::verify_asset(const Uuid& id, std::int64_t expires, std::string_view signature, Timestamp now) const {
    return verify(asset_message(id, expires).text(), expires, signature, now);
}
bool Signer::verify_tileset(const Uuid& id, std::int64_t version, std::int64_t expires, std::string_view signature,
                            Timestamp now) const {
    return verify(tileset_message(id, version, expires).text(), expires, signature, now);
}
bool Signer::verify_pictures(PictureForm form, const Uuid& id, std::int64_t version, std::int64_t expires,
                             std::string_view signature, Timestamp now) const {
    return verify(pictures_message(form, id, version, expires).text(), expires, signature, now);
}

bool Signer::verify_asset_pictures(const Uuid& id, std::int64_t expires, std::string_view signature,
                                   Timestamp now) const {
    return verify(asset_pictures_message(id, expires).text(), expires, signature, now);
}

// Compares texts, not bytes: a signature has one spelling, and another spelling of it is refused.
bool Signer::verify(std::string_view message, std::int64_t expires, std::string_view signature, Timestamp now) const {
    if (signature.size() != signature_length || expires <= to_unix_seconds(now)) return false;
    bool valid = false;
    for (const HmacSha256& key : keys()) {
        std::array<char, signature_length> expected;
        write_hex(key.sign(message), expected.data());
        valid |= equal_in_constant_time({expected.data(), expected.size()}, signature);
    }
    return valid;
}

std::optional<std::int64_t> parse_expires(std::string_view text) {
    std::int64_t value = 0;
    if (text.empty() || text.front() < '1' || text.front() > '9') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Error expires_is_no_time() {
    return Error{ErrorCode::invalid_request, "expires must be a unix timestamp", {}}.with_hint(
        "use signed addresses unchanged, as the service gave them");
}

}  // namespace tessera::service
