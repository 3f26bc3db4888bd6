// Request ids: a caller's own when it is harmless, otherwise a new UUID.
#pragma once

#include <array>
#include <string_view>

namespace tessera::http {

class RequestId {
  public:
    // Keeps `inbound` when it is 1 to 128 characters of [A-Za-z0-9._:-]; it is viewed, not copied.
    void choose(std::string_view inbound);
    [[nodiscard]] std::string_view view() const { return view_; }

    static bool is_valid(std::string_view text);

  private:
    std::array<char, 36> made_{};
    std::string_view view_;
};

}  // namespace tessera::http
