// The query of a list: which parameters it takes, and nothing else, so that a misspelt filter is not passed over.
#pragma once

#include <optional>
#include <string_view>

#include "core/result.hpp"
#include "http/routing/route.hpp"

namespace tessera::http {

class ListQuery {
  public:
    // Refuses a parameter that `route` does not document, or that comes twice. Values are as sent; those that lists
    // take have a single spelling.
    static Result<ListQuery> parse(const Request& request, const std::vector<std::string>& known);
    // The same where values may be encoded, such as a text to search for; get() gives none of those.
    static Result<ListQuery> parse_encoded(const Request& request, const std::vector<std::string>& known);

    [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const;

  private:
    static Result<ListQuery> parse(const Request& request, const std::vector<std::string>& known, bool encoded);
    explicit ListQuery(std::string_view query) : query_(query) {}
    std::string_view query_;
};

}  // namespace tessera::http
