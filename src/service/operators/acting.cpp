#include "service/operators/acting.hpp"

#include <string>

#include "metadata/acting_as.hpp"

namespace tessera::service {

void as_operator(std::string_view name, const std::function<void()>& work) {
    const metadata::ActingAs acting("operator " + std::string(name));
    work();
}

}  // namespace tessera::service
