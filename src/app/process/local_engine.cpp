#include "app/process/local_engine.hpp"

#include <algorithm>
#include <thread>

#include "app/command_failed.hpp"

namespace tessera::app {

std::unique_ptr<engine::Pool> start_local_engine(const std::filesystem::path& scratch) {
    engine::PoolConfig config;
    config.scratch_root = scratch;
    config.job_engines = 1;
    config.probe_engines = 1;
    config.threads_per_job = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    config.memory_limit_bytes = std::int64_t{16} << 30;
    return must(engine::Pool::start(config));
}

}  // namespace tessera::app
