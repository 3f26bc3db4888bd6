// Who does what a thread does: while one of these lives, the audit trail names its actor for the acts of its thread,
// and not whom the store was opened for.
#pragma once

#include <string>
#include <utility>

namespace tessera::metadata {

class ActingAs {
  public:
    explicit ActingAs(std::string actor) : actor_(std::move(actor)), before_(std::exchange(current_, &actor_)) {}
    ActingAs(const ActingAs&) = delete;
    ActingAs& operator=(const ActingAs&) = delete;
    ~ActingAs() { current_ = before_; }

    // Null where nobody was named.
    [[nodiscard]] static const std::string* current() { return current_; }

  private:
    const std::string actor_;
    const std::string* before_;
    inline static thread_local const std::string* current_ = nullptr;
};

}  // namespace tessera::metadata
