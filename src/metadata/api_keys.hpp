// API keys. Only the hash of a key is ever stored.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/account.hpp"
#include "core/hash.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct NewApiKey {
    Uuid account_id;
    std::string name;
    std::string role_code = "runtime";
    Digest hash{};
    std::optional<Timestamp> expires_at = {};
    NetworkList networks = {};
};

// How often a key's last use is written at most.
inline constexpr Millis noted_once_in{60'000};

struct KeyUse {
    Uuid key_id;
    Timestamp at;
};

class ApiKeys {
  public:
    virtual ~ApiKeys() = default;

    virtual Result<ApiKey> create(const NewApiKey& key) = 0;  // `not_found` when there is no such account
    // A revoked key is found too, with `revoked_at` set; and so is one that expired.
    virtual Result<std::optional<ApiKey>> find_by_hash(const Digest& hash) = 0;
    // Of every key that is not revoked, in no order.
    virtual Result<std::vector<Digest>> hashes() = 0;
    virtual Result<std::vector<ApiKey>> list(std::optional<Uuid> account_id) = 0;  // oldest first
    // The key as it is now; revoking twice keeps the first time. Empty when there is no such key.
    virtual Result<std::optional<ApiKey>> revoke(Uuid id) = 0;

    // Sets `last_used_at` of those whose last use is a minute older or more. Keys that are gone are passed over. Nobody
    // is told of it, and a power cut may take it back.
    virtual Result<void> note_used(std::span<const KeyUse> uses) = 0;
};

}  // namespace tessera::metadata
