// Scanners look at an uploaded file before anything else does.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "core/result.hpp"

namespace tessera::service {

class Scanner {
  public:
    virtual ~Scanner() = default;
    // Reads `size` bytes of `file` from its start. upload_rejected when it is flagged; scanning_unavailable when the
    // scanner can't be asked or does not say clearly that the file is clean.
    virtual Result<void> scan(int file, std::uint64_t size) = 0;
    // Whether it answers: for readiness.
    virtual Result<void> check() = 0;
};

// Configuration keys under "scanning." of the same names.
struct ScanningConfig {
    bool enabled = false;
    std::string address = "unix:/run/clamav/clamd.ctl";  // or "host:port"
    std::chrono::milliseconds timeout{60'000};           // for one file, from connecting to the verdict
    std::size_t at_once = 10;                            // as many as clamd's own MaxThreads
};

// clamd, over its INSTREAM command: each file on a connection of its own.
Result<std::unique_ptr<Scanner>> make_clamd_scanner(const ScanningConfig& config);

}  // namespace tessera::service
