// Pictures that are made when they are first asked for: one that several ask for at once is made once, and what was
// made is kept in memory for a while.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/previews/preview_cache.hpp"
#include "service/previews/previews.hpp"

namespace tessera::service {

class MadeOnce {
  public:
    // `not_yet` is what somebody is told who gave up waiting.
    MadeOnce(std::int64_t cache_bytes, std::string not_yet) : cache_(cache_bytes), not_yet_(std::move(not_yet)) {}

    [[nodiscard]] std::optional<PreviewCache::Kept> find(const Uuid& account, const std::string& tag) {
        return cache_.find(account, tag);
    }
    struct Begun {
        std::shared_ptr<PendingPreview> pending;
        bool is_new = false;  // the caller makes it, and says finish()
    };
    Begun begin(const Uuid& account, const std::string& tag);
    void finish(const Uuid& account, const std::string& tag, Result<PreviewBytes> made);
    void forget(const Uuid& account) { cache_.forget(account); }

  private:
    struct Making;
    class Pending;

    PreviewCache cache_;
    const std::string not_yet_;
    std::mutex mutex_;
    std::map<std::pair<Uuid, std::string>, std::shared_ptr<Making>> making_;
};

}  // namespace tessera::service
