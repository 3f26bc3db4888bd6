// How a command ends early: thrown inside src/app, turned into a message on standard error and an exit code by main.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "app/trouble.hpp"
#include "core/result.hpp"

namespace tessera::app {

enum class ExitCode {
    ok = 0,
    failed = 1,
    usage = 2,      // the command line or the configuration is wrong
    not_found = 3,  // the account, key, plan or tileset that was named is not there
    conflict = 4,   // it is there already
};

class CommandFailed : public std::runtime_error {
  public:
    CommandFailed(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    explicit CommandFailed(const Error& error) : CommandFailed(code_for(error.code), told(error)) {}

    [[nodiscard]] ExitCode code() const { return code_; }

  private:
    static ExitCode code_for(ErrorCode code) {
        if (code == ErrorCode::not_found) return ExitCode::not_found;
        if (code == ErrorCode::conflict) return ExitCode::conflict;
        return ExitCode::failed;
    }
    ExitCode code_;
};

// The value, or the end of the command.
template <typename T>
T must(Result<T> result) {
    if (!result) throw CommandFailed(result.error());
    return std::move(result).value();
}
inline void must(const Result<void>& result) {
    if (!result) throw CommandFailed(result.error());
}

}  // namespace tessera::app
