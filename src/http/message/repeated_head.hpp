// Clients send the same headers again and again over one connection, and only the target differs. What was read of them
// once holds for the same bytes: they are compared, not parsed. Only for plain GETs without a body, of which nothing
// but the bytes decides what they mean. A tile that a browser asks for takes a tenth less processor time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message/parser.hpp"

namespace tessera::http {

class RepeatedHead {
  public:
    static constexpr std::size_t most_bytes = 1024;  // of the headers: each connection keeps them

    struct Found {
        std::string_view target;
        std::size_t size = 0;  // of the whole head
    };
    // The head at the front of `bytes`, if its headers are the remembered ones; they are then in `headers`.
    [[nodiscard]] std::optional<Found> find(std::string_view bytes, const ParserLimits& limits,
                                            std::vector<HeaderView>& headers) const;

    // Remembers the headers of a head that was found good, and a GET of HTTP/1.1 that keeps its connection and has no
    // body and no expectation.
    void remember(std::string_view head, const std::vector<HeaderView>& headers);

  private:
    struct Place {
        std::uint16_t name, name_size, value, value_size;
    };
    std::string block_;  // from behind the request line to the blank line, which is included
    std::vector<Place> places_;
};

}  // namespace tessera::http
