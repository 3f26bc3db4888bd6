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

// The built-in plan without limits, or the last one that is active where the plans were replaced; empty where none is.
Result<std::string> plan_for_first_account(metadata::Store& store);

Result<DemoAccount> make_demo_account(metadata::Store& store);

// The operator beside it, where there is none yet.
struct DemoOperator {
    std::string name;
    std::string password;
};
Result<std::optional<DemoOperator>> make_demo_operator(metadata::Store& store);

}  // namespace tessera::app
