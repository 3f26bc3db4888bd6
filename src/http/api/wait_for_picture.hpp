// A request that waits until a picture is made.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "http/message/waited.hpp"
#include "service/previews/previews.hpp"

namespace tessera::http {

class WaitForPicture final : public Waited {
  public:
    explicit WaitForPicture(std::shared_ptr<service::PendingPreview> pending) : pending_(std::move(pending)) {}
    void wait(std::function<void()> over) override { pending_->when_over(std::move(over)); }
    void give_up() override { pending_->give_up(); }

  private:
    std::shared_ptr<service::PendingPreview> pending_;
};

}  // namespace tessera::http
