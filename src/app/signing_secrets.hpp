// Signing secrets, and the file of mode 0600 in which each line is a time and a secret. One signs, all verify.
//
// A secret that was added by a rotation begins to sign only after `settling_time`, when every node that shares the
// list has read it: so no address is handed out that another node would refuse.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::app {

class DataFolder;
struct SecretsConfig;

struct SigningSecret {
    std::string secret;
    Timestamp created_at;

    [[nodiscard]] std::string fingerprint() const;  // tells secrets apart without giving them away
    bool operator==(const SigningSecret&) const = default;
};

std::string new_secret_text();

inline constexpr std::chrono::seconds settling_time{120};

// Where the configuration says that the list is.
std::filesystem::path secrets_path(const SecretsConfig& config, const DataFolder& folder);

// Newest first. Makes the file with one secret when there is none; of any number of processes that do so at once, one
// wins and all read the same.
Result<std::vector<SigningSecret>> read_or_make_secrets(const std::filesystem::path& file, Timestamp now);
// Refuses a file that others may read, or that holds anything but secrets.
Result<std::vector<SigningSecret>> read_secrets(const std::filesystem::path& file);

// Adds a new secret and keeps the newest `keep` in all.
Result<std::vector<SigningSecret>> rotate_secrets(const std::filesystem::path& file, std::size_t keep, Timestamp now);

// The secrets in the order of use: the one that signs at `now` first.
std::vector<SigningSecret> in_order_of_use(std::vector<SigningSecret> secrets, Timestamp now);

}  // namespace tessera::app
