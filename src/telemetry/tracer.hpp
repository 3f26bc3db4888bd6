// What the rest of the service sees of tracing: whether a request is traced, and where its spans go.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "telemetry/config.hpp"
#include "telemetry/meters.hpp"
#include "telemetry/span.hpp"

namespace tessera::telemetry {

class Exporter;
class Sampling;

class Tracer {
  public:
    // `node` is unique to this process.
    Tracer(const TracesConfig& config, std::string node, const std::string& version);
    Tracer(const Tracer&) = delete;
    Tracer& operator=(const Tracer&) = delete;
    ~Tracer();  // stop()

    void start();
    void stop();  // sends what waits, within bounds. Safe twice.

    // For a request with which this service's part of a trace begins; see Sampling.
    [[nodiscard]] bool takes(std::optional<bool> wish, bool makes_something);
    // Never waits.
    void add(Span span);

    [[nodiscard]] const TraceMeters& meters() const;

  private:
    const std::unique_ptr<Sampling> sampling_;
    const std::unique_ptr<Exporter> exporter_;
};

}  // namespace tessera::telemetry
