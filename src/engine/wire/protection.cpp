#include "engine/wire/protection.hpp"

namespace tessera::engine {

std::string describe(const std::vector<Protection>& protections) {
    std::string in_force;
    std::string missing;
    for (const Protection& part : protections) {
        std::string& list = part.in_force ? in_force : missing;
        if (!list.empty()) list += ", ";
        list += part.name;
        if (!part.note.empty()) list += " (" + part.note + ")";
    }
    return missing.empty() ? in_force : in_force + "; without " + missing;
}

}  // namespace tessera::engine
