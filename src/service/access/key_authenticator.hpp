// Authenticator over the metadata store. Identities are kept in memory, so an authenticated request costs no query, and
// each serving thread remembers those that it has seen, so that it costs no lock either. The store says when an
// account, its keys, its entitlements or a plan changed (whichever process did it), and what was kept of them is
// dropped. A node that can't hear the store hears of no revocation either, so nothing is kept for long.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/meters.hpp"
#include "service/access/authenticator.hpp"

namespace tessera::metadata {
class Store;
class Subscription;
struct KeyUse;
}  // namespace tessera::metadata

namespace tessera::service {

struct IdentityConfig {
    std::chrono::milliseconds recheck_after{10'000};  // what was read longer ago is read again
    std::size_t max_kept = 100'000;
};

class KeyAuthenticator final : public Authenticator {
  public:
    // The store and the clock must outlive the authenticator.
    KeyAuthenticator(metadata::Store& store, const Clock& clock, IdentityConfig config = {});
    ~KeyAuthenticator() override;

    PrincipalPtr cached(std::string_view api_key) const override;
    bool may_exist(std::string_view api_key) const override;
    void learn_which_exist() override;
    Result<PrincipalPtr> authenticate(std::string_view api_key) override;

    // Keys that were used since this was last asked, and whose last use is worth writing down by now.
    [[nodiscard]] std::vector<metadata::KeyUse> take_used();

    [[nodiscard]] std::size_t kept() const;
    // How often a key had to be looked up.
    [[nodiscard]] std::uint64_t lookups() const { return lookups_.get(); }

  private:
    struct Shard;
    // The first bytes of the hash of every key that is not revoked, sorted, as they were at an epoch.
    struct KnownKeys {
        std::uint64_t epoch = 0;
        std::vector<std::uint64_t> beginnings;
    };
    static constexpr std::size_t shard_count = 64;

    [[nodiscard]] Shard& shard_of(const Digest& hash) const;
    [[nodiscard]] Result<PrincipalPtr> load(const Digest& hash);
    [[nodiscard]] std::chrono::steady_clock::time_point good_until(const ApiKey& key) const;
    void take_use(Shard& shard, const PrincipalPtr& principal) const;
    template <typename Which>
    void forget(Which which);
    void forget_account(const Uuid& account_id);
    void forget_all();

    const std::uint64_t id_;  // of this one, among all that a thread may have asked
    metadata::Store& store_;
    const Clock& clock_;
    const std::chrono::milliseconds recheck_after_;
    const std::size_t max_per_shard_;
    const std::unique_ptr<Shard[]> shards_;
    // Rises before anything is forgotten, because an identity that was read before that must not be kept after it; and
    // again afterwards, which ends what threads remember. Only read while serving.
    std::atomic<std::uint64_t> epoch_{0};
    mutable std::mutex known_mutex_;  // for the copy of a pointer
    std::shared_ptr<const KnownKeys> known_;
    std::mutex learning_;
    Counter lookups_;
    std::unique_ptr<metadata::Subscription> subscription_;  // last: ends before what its callback uses
};

}  // namespace tessera::service
