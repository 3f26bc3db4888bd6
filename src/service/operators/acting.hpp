// Whom the audit trail names for what is done on an operator's behalf: "operator NAME".
#pragma once

#include <functional>
#include <string_view>

namespace tessera::service {

// Calls `work`, on this thread.
void as_operator(std::string_view name, const std::function<void()>& work);

}  // namespace tessera::service
