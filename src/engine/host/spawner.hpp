// Starts engines. It keeps one template process, which has libvips loaded and has never seen an image; a new engine is
// a copy of it that locks itself in. Everything here must happen on one thread: children die with the thread that made
// them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "engine/host/engine_process.hpp"
#include "engine/host/pool.hpp"

namespace tessera::engine {

struct NewEngine {
    std::unique_ptr<EngineProcess> process;
    std::vector<Protection> protections;
};

// What the engines of a lane may use.
struct EngineTerms {
    int threads = 1;
    std::int64_t memory_limit_bytes = 0;
    std::int64_t file_limit_bytes = 0;
};

class Spawner {
  public:
    explicit Spawner(const PoolConfig& config);
    ~Spawner();

    // `slot` numbers the engines that are alive, so that each has a uid of its own.
    Result<NewEngine> start_engine(int slot, const EngineTerms& terms);

    // Engines to come get another address layout than those before.
    void renew_template();

  private:
    struct Template;
    Result<NewEngine> try_start(int slot, const EngineTerms& terms);
    Result<std::unique_ptr<Template>> start_template() const;
    Result<pid_t> ask_for_engine(Template& made_from, const std::string& message, std::span<const int> files,
                                 Deadline deadline) const;

    PoolConfig config_;
    std::unique_ptr<Template> template_;
};

}  // namespace tessera::engine
