// The inspector of a backend's blobs.
#pragma once

#include "backend.hpp"
#include "blobs/inspector.hpp"

namespace tessera::blobs::contract {

// Each backend's program has its own.
std::unique_ptr<Inspector> inspect(const Backend& backend);
// The text of something that was set aside, or of the note beside it; nothing where it is not there.
std::optional<std::string> quarantined(const Backend& backend, const std::string& name);

}  // namespace tessera::blobs::contract
