#include "service/previews/made_once.hpp"

#include <functional>
#include <vector>

namespace tessera::service {

// Shared by all who wait for the same picture.
struct MadeOnce::Making {
    std::mutex mutex;
    std::optional<Result<PreviewBytes>> result;
    std::vector<std::function<void()>> waiting;

    void finish(Result<PreviewBytes> made) {
        std::vector<std::function<void()>> told;
        {
            const std::lock_guard lock(mutex);
            result = std::move(made);
            told.swap(waiting);
        }
        for (const auto& over : told) over();
    }
};

// One who waits. `over` is called by whoever is first: the end of the making, or who gives up.
class MadeOnce::Pending final : public PendingPreview {
  public:
    Pending(std::shared_ptr<Making> making, std::string not_yet)
        : making_(std::move(making)), not_yet_(std::move(not_yet)), waiter_(std::make_shared<Waiter>()) {}

    void when_over(std::function<void()> over) override {
        {
            const std::lock_guard lock(waiter_->mutex);
            waiter_->over = std::move(over);
        }
        bool is_over = false;
        {
            const std::lock_guard lock(making_->mutex);
            is_over = making_->result.has_value();
            if (!is_over) making_->waiting.emplace_back([waiter = waiter_] { waiter->call(); });
        }
        if (is_over) waiter_->call();
    }
    void give_up() override { waiter_->call(); }
    [[nodiscard]] Result<PreviewBytes> result() const override {
        const std::lock_guard lock(making_->mutex);
        if (making_->result) return *making_->result;
        return Error{ErrorCode::overloaded, not_yet_, {}, 1};
    }

  private:
    struct Waiter {
        std::mutex mutex;
        std::function<void()> over;
        void call() {
            std::function<void()> taken;
            {
                const std::lock_guard lock(mutex);
                taken = std::exchange(over, nullptr);
            }
            if (taken) taken();
        }
    };
    std::shared_ptr<Making> making_;
    std::string not_yet_;
    std::shared_ptr<Waiter> waiter_;
};

MadeOnce::Begun MadeOnce::begin(const Uuid& account, const std::string& tag) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = making_.try_emplace(std::pair(account, tag), nullptr);
    if (is_new) place->second = std::make_shared<Making>();
    return {std::make_shared<Pending>(place->second, not_yet_), is_new};
}

void MadeOnce::finish(const Uuid& account, const std::string& tag, Result<PreviewBytes> made) {
    // That an image can't be shown stays so; that there was no time does not.
    if (made || made.error().code == ErrorCode::unsupported_media_type) cache_.put(account, tag, made);
    std::shared_ptr<Making> ended;
    {
        const std::lock_guard lock(mutex_);
        const auto found = making_.find(std::pair(account, tag));
        ended = std::move(found->second);
        making_.erase(found);
    }
    ended->finish(std::move(made));
}

}  // namespace tessera::service
