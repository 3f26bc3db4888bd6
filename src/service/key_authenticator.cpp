#include "service/key_authenticator.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <mutex>
#include <unordered_map>

#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "service/api_key_text.hpp"
#include "service/entitlement_list.hpp"
#include "service/per_thread.hpp"
#include "service/thread_identities.hpp"

namespace tessera::service {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Kept {
    PrincipalPtr principal;
    SteadyClock::time_point until;
};

// A SHA-256 digest is as good a hash as there is.
struct FirstBytes {
    std::size_t operator()(const Digest& hash) const noexcept {
        std::size_t value = 0;
        std::memcpy(&value, hash.data(), sizeof value);
        return value;
    }
};

// Good to a few milliseconds, for a tenth of the price: it is read on every request with a key.
SteadyClock::time_point coarse_now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return SteadyClock::time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

Error invalid_api_key() {
    return {ErrorCode::invalid_api_key, "invalid api key", ""};
}

}  // namespace

struct alignas(64) KeyAuthenticator::Shard {
    mutable std::mutex mutex;  // held for a lookup and the copy of a pointer
    // Of every key that was good when it was last read; what was forgotten is there without a principal.
    std::unordered_map<Digest, Kept, FirstBytes> principals;

    // Without a principal when there is none, or none that was read lately.
    [[nodiscard]] Kept find(const Digest& hash) const {
        const std::lock_guard lock(mutex);
        const auto found = principals.find(hash);
        if (found == principals.end() || SteadyClock::now() >= found->second.until) return {};
        return found->second;
    }
};

KeyAuthenticator::KeyAuthenticator(metadata::Store& store, IdentityConfig config)
    : id_(next_owner_id()),
      store_(store),
      recheck_after_(config.recheck_after),
      max_per_shard_(std::max<std::size_t>(1, config.max_kept / shard_count)),
      shards_(std::make_unique<Shard[]>(shard_count)) {
    subscription_ = store_.on_change([this](const metadata::Change& change) {
        switch (change.kind) {
            case metadata::Change::Kind::account: forget_account(change.id); break;
            case metadata::Change::Kind::tileset: break;
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

bool KeyAuthenticator::was_good(std::string_view api_key) const {
    if (!looks_like_api_key(api_key)) return false;
    const Digest hash = hash_of_api_key(api_key);
    const Shard& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    return shard.principals.contains(hash);
}

Result<PrincipalPtr> KeyAuthenticator::authenticate(std::string_view api_key) {
    if (!looks_like_api_key(api_key)) return invalid_api_key();
    const Digest hash = hash_of_api_key(api_key);
    Shard& shard = shard_of(hash);
    if (Kept kept = shard.find(hash); kept.principal) return std::move(kept.principal);

    const std::uint64_t epoch_before = epoch_;
    const auto until = SteadyClock::now() + recheck_after_;
    Result<PrincipalPtr> loaded = load(hash);
    if (!loaded && loaded.error().code != ErrorCode::invalid_api_key) return loaded;

    const std::lock_guard lock(shard.mutex);
    if (!loaded) {
        shard.principals.erase(hash);
        return loaded;
    }
    if (!shard.principals.contains(hash) && shard.principals.size() >= max_per_shard_)
        shard.principals.erase(shard.principals.begin());
    shard.principals.insert_or_assign(hash, epoch_ == epoch_before ? Kept{*loaded, until} : Kept{});
    return loaded;
}

Result<PrincipalPtr> KeyAuthenticator::load(const Digest& hash) {
    Result<std::optional<ApiKey>> key = store_.api_keys().find_by_hash(hash);
    if (!key) return std::move(key).error();
    if (!*key || (*key)->revoked_at) return invalid_api_key();

    Result<std::optional<Account>> account = store_.accounts().find((*key)->account_id);
    if (!account) return std::move(account).error();
    if (!*account) return invalid_api_key();

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
        for (auto& [hash, kept] : shards_[i].principals) {
            if (kept.principal && which(*kept.principal)) kept = {};
        }
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
        total += static_cast<std::size_t>(std::ranges::count_if(
            shards_[i].principals, [](const auto& entry) { return entry.second.principal != nullptr; }));
    }
    return total;
}

}  // namespace tessera::service
