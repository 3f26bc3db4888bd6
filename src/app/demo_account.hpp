// The account that `serve --demo` makes, for a first look at the service.
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::app {

struct DemoAccount {
    std::string slug;
    std::optional<std::string> api_key;  // only when it was made just now: only then is its text known
};

Result<DemoAccount> make_demo_account(metadata::Store& store);

}  // namespace tessera::app
