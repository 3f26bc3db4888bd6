// The address of a service: checked when it is made, so that a key is never sent to a place that nobody meant.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tessera::remote {

class Address {
  public:
    // http or https, a host, a port and a path if need be; without a name, a password, a query. A missing scheme is
    // https, or http for this machine.
    static Result<Address> parse(std::string_view text);

    [[nodiscard]] const std::string& text() const { return text_; }  // without a slash at its end
    // Whether others on the way can read along.
    [[nodiscard]] bool is_open_to_listeners() const { return plain_ && !this_machine_; }

    friend bool operator==(const Address& a, const Address& b) { return a.text_ == b.text_; }

  private:
    std::string text_;
    bool plain_ = false;
    bool this_machine_ = false;
};

}  // namespace tessera::remote
