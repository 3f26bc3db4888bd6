#include "telemetry/tracer.hpp"

#include <utility>

#include "telemetry/exporter.hpp"
#include "telemetry/sampling.hpp"

namespace tessera::telemetry {

Tracer::Tracer(const TracesConfig& config, std::string node, const std::string& version)
    : sampling_(std::make_unique<Sampling>(config)),
      exporter_(std::make_unique<Exporter>(config, Resource{config.service_name, version, std::move(node)},
                                           otlp_sender(config, version))) {}

Tracer::~Tracer() = default;

void Tracer::start() {
    exporter_->start();
}

void Tracer::stop() {
    exporter_->stop();
}

bool Tracer::takes(std::optional<bool> wish, bool makes_something) {
    return sampling_->takes(wish, makes_something);
}

void Tracer::add(Span span) {
    exporter_->add(std::move(span));
}

const TraceMeters& Tracer::meters() const {
    return exporter_->meters();
}

}  // namespace tessera::telemetry
