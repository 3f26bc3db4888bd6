// A small pool of hooked engines in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "engine/host/pool.hpp"
#include "support/images.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::engine {

// Options as a request has them.
inline boost::json::object options_from(const std::string& text) {
    return boost::json::parse(text).as_object();
}

// Engines and what they are made from.
inline std::vector<pid_t> children() {
    std::vector<pid_t> found;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream list(task.path() / "children");
        for (pid_t pid = 0; list >> pid;) found.push_back(pid);
    }
    return found;
}

inline void kill_children() {
    for (const pid_t child : children()) ::kill(child, SIGKILL);
}

class PoolTest : public testing::Test {
  protected:
    PoolTest() {
        config_.scratch_root = root_ / "scratch";
        config_.job_engines = 1;
        config_.probe_engines = 1;
        config_.memory_limit_bytes = std::int64_t{1} << 30;
        config_.probe_deadline = std::chrono::minutes(10);
    }

    Pool& pool() {
        if (!pool_) {
            auto started = Pool::start(config_);
            if (!started) throw std::runtime_error(started.error().detail);
            pool_ = std::move(*started);
        }
        return *pool_;
    }

    Result<ImageInfo> probe(const std::string& bytes, const ProbeLimits& limits = {}) {
        return pool().probe(test::file_with(bytes).get(), {}, limits);
    }
    // A picture that makes the engine do `what` when it probes it.
    Result<ImageInfo> probe_hooked(const std::string& what) {
        return probe(test::make_image({}) + "TESSERA-HOOK:probe:" + what);
    }

    void expect_works() {
        const auto info = probe(test::make_image({}));
        EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message + " " + info.error().detail);
    }

    const test::TemporaryFolder root_;
    PoolConfig config_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace tessera::engine
