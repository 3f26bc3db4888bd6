// Request ids: a caller's own when it is harmless, otherwise a new UUID.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/uuid.hpp"

namespace tessera::http {

class RequestId {
  public:
    // Keeps `inbound` when it is 1 to 128 characters of [A-Za-z0-9._:-]; it is viewed, not copied.
    void choose(std::string_view inbound);
    [[nodiscard]] std::string_view view() const { return view_; }
    // Nothing where it is the caller's.
    [[nodiscard]] const std::optional<Uuid>& made_here() const { return uuid_; }

    static bool is_valid(std::string_view text);

  private:
    std::optional<Uuid> uuid_;
    std::array<char, Uuid::text_length> made_{};
    std::string_view view_;
};

}  // namespace tessera::http
