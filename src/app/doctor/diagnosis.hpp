// What `tessera doctor` says of one thing: whether it will do, what was found, and what to do about it.
#pragma once

#include <string>
#include <vector>

namespace tessera::app {

struct Config;

struct Diagnosis {
    enum class Level {
        ok,
        warn,  // the service runs, and not as well or as safely as it could
        fail,  // the service does not start, or can't do its work
    };
    Level level = Level::ok;
    std::string name;
    std::string found;
    std::string what_to_do{};  // empty where it is ok
};
using Diagnoses = std::vector<Diagnosis>;

inline Diagnosis fine(std::string name, std::string found) {
    return {Diagnosis::Level::ok, std::move(name), std::move(found)};
}
inline Diagnosis warning(std::string name, std::string found, std::string what_to_do) {
    return {Diagnosis::Level::warn, std::move(name), std::move(found), std::move(what_to_do)};
}
inline Diagnosis failure(std::string name, std::string found, std::string what_to_do) {
    return {Diagnosis::Level::fail, std::move(name), std::move(found), std::move(what_to_do)};
}

// The parts, in the order in which they are told. None of them makes or changes anything that stays.
Diagnoses look_at_machine(const Config& config);
Diagnoses look_at_folder(const Config& config);
Diagnoses look_at_engines(const Config& config);
Diagnoses look_at_stores(const Config& config);
Diagnoses look_at_addresses(const Config& config);

}  // namespace tessera::app
