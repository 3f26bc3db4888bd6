// A list of callbacks that may come and go while others run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "metadata/store.hpp"

namespace tessera::metadata {

template <typename... Arguments>
class Subscribers {
  public:
    using Callback = std::function<void(Arguments...)>;

    std::unique_ptr<Subscription> add(Callback callback) {
        const std::lock_guard lock(list_->mutex);
        const std::uint64_t id = list_->next_id++;
        list_->callbacks.emplace(id, std::move(callback));
        return std::make_unique<Entry>(list_, id);
    }

    void call(Arguments... arguments) {
        const std::lock_guard lock(list_->mutex);
        for (auto& [id, callback] : list_->callbacks) callback(arguments...);
    }

  private:
    struct List {
        std::recursive_mutex mutex;  // a callback may end subscriptions
        std::uint64_t next_id = 0;
        std::map<std::uint64_t, Callback> callbacks;
    };

    // Shares the list, so that a subscription may outlive the store.
    class Entry final : public Subscription {
      public:
        Entry(std::shared_ptr<List> list, std::uint64_t id) : list_(std::move(list)), id_(id) {}
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;
        ~Entry() override {
            const std::lock_guard lock(list_->mutex);
            list_->callbacks.erase(id_);
        }

      private:
        std::shared_ptr<List> list_;
        std::uint64_t id_;
    };

    std::shared_ptr<List> list_ = std::make_shared<List>();
};

}  // namespace tessera::metadata
