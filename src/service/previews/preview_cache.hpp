// Previews in memory, the last used ones within a number of bytes. An account's own: what one has is no sign to others.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/previews/previews.hpp"

namespace tessera::service {

class PreviewCache {
  public:
    explicit PreviewCache(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

    using Kept = Result<PreviewBytes>;  // also that there is none
    [[nodiscard]] std::optional<Kept> find(const Uuid& account, const std::string& tag);
    void put(const Uuid& account, const std::string& tag, Kept made);
    void forget(const Uuid& account);

  private:
    struct Entry {
        Uuid account;
        std::string key;
        Kept made;
        std::int64_t bytes = 0;
    };
    static std::string key_of(const Uuid& account, const std::string& tag) { return account.to_string() + tag; }

    const std::int64_t most_bytes_;
    std::mutex mutex_;
    std::list<Entry> entries_;  // the last used in front
    std::unordered_map<std::string, std::list<Entry>::iterator> places_;
    std::int64_t bytes_ = 0;
};

}  // namespace tessera::service
