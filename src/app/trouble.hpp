// Errors that are told to the person at the terminal: what happened, where, and what to do.
#pragma once

#include <string>

#include "core/error.hpp"

namespace tessera::app {

inline Error trouble(std::string text) {
    return {ErrorCode::invalid_request, std::move(text), ""};
}

// All of an error: at the terminal of the person who runs the service there is nobody to hide the cause from.
inline std::string told(const Error& error) {
    std::string text = error.detail.empty() ? error.message : error.message + ": " + error.detail;
    if (!error.hint.empty()) text += "; " + error.hint;
    return text;
}

}  // namespace tessera::app
