#include "service/access/key_authenticator.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <mutex>
#include <unordered_map>

#include "core/per_thread.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "service/access/api_key_text.hpp"
#include "service/access/entitlement_list.hpp"
#include "service/access/thread_identities.hpp"

namespace tessera::service {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Kept {
    PrincipalPtr principal;
    SteadyClock::time_point until;
};

// A SHA-256 digest is as good a hash as there is.
std::uint64_t beginning_of(const Digest& hash) noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, hash.data(), sizeof value);
    return value;
}

struct FirstBytes {
    std::size_t operator()(const Digest& hash) const noexcept { return beginning_of(hash); }
};

// Good to a few milliseconds, for a tenth of the price: it is read on every request with a key.
SteadyClock::time_point coarse_now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return SteadyClock::time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

// `why` is for our log alone.
Error invalid_api_key(std::string why = {}) {
    return {ErrorCode::invalid_api_key, "invalid api key", std::move(why)};
}

}  // namespace

struct alignas(64) KeyAuthenticator::Shard {
    mutable std::mutex mutex;  // held for a lookup and the copy of a pointer
    std::unordered_map<Digest, Kept, FirstBytes> principals;
    std::vector<metadata::KeyUse> used;  // of identities that are no longer kept

    // Without a principal when there is none, or none that was read lately.
    [[nodiscard]] Kept find(const Digest& hash) const {
        const std::lock_guard lock(mutex);
        const auto found = principals.find(hash);
        if (found == principals.end() || SteadyClock::now() >= found->second.until) return {};
        return found->second;
    }
};

KeyAuthenticator::KeyAuthenticator(metadata::Store& store, const Clock& clock, IdentityConfig config)
    : id_(next_owner_id()),
      store_(store),
      clock_(clock),
      recheck_after_(config.recheck_after),
      max_per_shard_(std::max<std::size_t>(1, config.max_kept / shard_count)),
      shards_(std::make_unique<Shard[]>(shard_count)) {
    subscription_ = store_.on_change([this](const metadata::Change& change) {
        switch (change.kind) {
            case metadata::Change::Kind::account: forget_account(change.id); break;
            case metadata::Change::Kind::tileset:
            case metadata::Change::Kind::erased_account:
            case metadata::Change::Kind::job_cancelled: break;
            case metadata::Change::Kind::plans:
            case metadata::Change::Kind::everything: forget_all(); break;
        }
    });
}

KeyAuthenticator::~KeyAuthenticator() = default;

KeyAuthenticator::Shard& KeyAuthenticator::shard_of(const Digest& hash) const {
    return shards_[hash.back() % shard_count];
}

PrincipalPtr KeyAuthenticator::cached(std::string_view api_key) const {
    if (!looks_like_api_key(api_key)) return nullptr;
    const Digest hash = hash_of_api_key(api_key);
    ThreadIdentities& own = of_this_thread<ThreadIdentities>(id_);
    // Read before the shard is looked at: what is forgotten there from now on is forgotten here by the next epoch.
    const std::uint64_t epoch = epoch_.load(std::memory_order_acquire);
    if (PrincipalPtr known = own.find(hash, epoch, coarse_now())) return known;
    Kept kept = shard_of(hash).find(hash);
    if (!kept.principal) return nullptr;
    return own.keep(hash, epoch, kept.until, std::move(kept.principal));
}

bool KeyAuthenticator::may_exist(std::string_view api_key) const {
    if (!looks_like_api_key(api_key)) return false;
    const std::shared_ptr<const KnownKeys> known = [&] {
        const std::lock_guard lock(known_mutex_);
        return known_;
    }();
    if (!known || known->epoch != epoch_.load(std::memory_order_acquire)) return true;
    return std::ranges::binary_search(known->beginnings, beginning_of(hash_of_api_key(api_key)));
}

void KeyAuthenticator::learn_which_exist() {
    // One is enough; meanwhile the others ask for their keys.
    const std::unique_lock learning(learning_, std::try_to_lock);
    if (!learning) return;
    KnownKeys known{epoch_.load(std::memory_order_acquire), {}};
    if (known_ && known_->epoch == known.epoch) return;
    const auto hashes = store_.api_keys().hashes();
    if (!hashes) return;
    known.beginnings.reserve(hashes->size());
    for (const Digest& hash : *hashes) known.beginnings.push_back(beginning_of(hash));
    std::ranges::sort(known.beginnings);
    auto learned = std::make_shared<const KnownKeys>(std::move(known));
    const std::lock_guard lock(known_mutex_);
    known_ = std::move(learned);
}

Result<PrincipalPtr> KeyAuthenticator::authenticate(std::string_view api_key) {
    if (!looks_like_api_key(api_key)) return invalid_api_key();
    const Digest hash = hash_of_api_key(api_key);
    Shard& shard = shard_of(hash);
    if (Kept kept = shard.find(hash); kept.principal) return std::move(kept.principal);

    const std::uint64_t epoch_before = epoch_;
    const auto asked_at = SteadyClock::now();
    Result<PrincipalPtr> loaded = load(hash);
    if (!loaded && !is_refusal_of_key(loaded.error())) return loaded;

    const std::lock_guard lock(shard.mutex);
    const auto before = shard.principals.find(hash);
    if (before != shard.principals.end()) take_use(shard, before->second.principal);
    if (!loaded || epoch_ != epoch_before) {  // none, or one that may have changed since
        shard.principals.erase(hash);
        return loaded;
    }
    if (before == shard.principals.end() && shard.principals.size() >= max_per_shard_) {
        take_use(shard, shard.principals.begin()->second.principal);
        shard.principals.erase(shard.principals.begin());
    }
    shard.principals.insert_or_assign(hash,
                                      Kept{*loaded, std::min(asked_at + recheck_after_, good_until((*loaded)->key))});
    return loaded;
}

// By the clock that stands still for nobody. A clock on the wall that is set meanwhile is noticed at the next reading.
SteadyClock::time_point KeyAuthenticator::good_until(const ApiKey& key) const {
    if (!key.expires_at) return SteadyClock::time_point::max();
    const auto left = std::min<Millis>(*key.expires_at - clock_.now(), std::chrono::hours(24));
    return SteadyClock::now() + left;
}

// With the shard's lock.
void KeyAuthenticator::take_use(Shard& shard, const PrincipalPtr& principal) const {
    if (!principal || !principal->use.take()) return;
    const Timestamp now = clock_.now();
    const auto& last = principal->key.last_used_at;
    if (!last || *last + metadata::noted_once_in <= now) shard.used.push_back({principal->key.id, now});
}

std::vector<metadata::KeyUse> KeyAuthenticator::take_used() {
    std::vector<metadata::KeyUse> all;
    for (std::size_t i = 0; i < shard_count; ++i) {
        Shard& shard = shards_[i];
        const std::lock_guard lock(shard.mutex);
        for (const auto& [hash, kept] : shard.principals) take_use(shard, kept.principal);
        all.insert(all.end(), shard.used.begin(), shard.used.end());
        shard.used.clear();
    }
    return all;
}

Result<PrincipalPtr> KeyAuthenticator::load(const Digest& hash) {
    lookups_.add();
    Result<std::optional<ApiKey>> key = store_.api_keys().find_by_hash(hash);
    if (!key) return std::move(key).error();
    if (!*key) return invalid_api_key();
    if ((*key)->revoked_at) return invalid_api_key("key " + (*key)->id.to_string() + " is revoked");
    if ((*key)->expired(clock_.now())) return invalid_api_key("key " + (*key)->id.to_string() + " has expired");

    Result<std::optional<Account>> account = store_.accounts().find((*key)->account_id);
    if (!account) return std::move(account).error();
    if (!*account) return invalid_api_key();
    if ((*account)->suspended_at) {
        return Error{ErrorCode::account_suspended, "invalid api key",
                     "account " + (*account)->id.to_string() + " is suspended"};
    }

    Result<std::optional<Plan>> plan = store_.plans().find((*account)->plan_code);
    if (!plan) return std::move(plan).error();
    if (!*plan)
        return internal_error("account " + (*account)->slug + " is on plan " + (*account)->plan_code +
                              ", which is not there");

    Result<std::vector<Entitlement>> entitlements = store_.entitlements().list((*account)->id);
    if (!entitlements) return std::move(entitlements).error();

    const Role* role = find_role((*key)->role_code);
    if (role == nullptr)
        return internal_error("key " + (*key)->id.to_string() + " has the unknown role " + (*key)->role_code);

    return PrincipalPtr(std::make_shared<const Principal>(Principal{
        .account = std::move(**account),
        .key = std::move(**key),
        .role = role,
        .plan = std::move(**plan),
        .entitlements = with_every_feature(std::move(*entitlements)),
    }));
}

template <typename Which>
void KeyAuthenticator::forget(Which which) {
    ++epoch_;
    for (std::size_t i = 0; i < shard_count; ++i) {
        const std::lock_guard lock(shards_[i].mutex);
        std::erase_if(shards_[i].principals, [&](const auto& entry) {
            if (!which(*entry.second.principal)) return false;
            take_use(shards_[i], entry.second.principal);
            return true;
        });
    }
    ++epoch_;
}

void KeyAuthenticator::forget_account(const Uuid& account_id) {
    forget([&](const Principal& principal) { return principal.account.id == account_id; });
}

void KeyAuthenticator::forget_all() {
    forget([](const Principal&) { return true; });
}

std::size_t KeyAuthenticator::kept() const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < shard_count; ++i) {
        const std::lock_guard lock(shards_[i].mutex);
        total += shards_[i].principals.size();
    }
    return total;
}

}  // namespace tessera::service
