// How the whole service is doing, in one answer: asked of the database at most once in a while, however many look.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <mutex>
#include <string>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "service/access/usage_days.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::service {

struct ThisService {
    std::string node;  // as it calls itself in the database
    std::string version;
    std::string database;  // sqlite or postgresql
    std::string blobs;     // file or s3
};

class Overview {
  public:
    Overview(metadata::Store& store, UsageHistories& days, const Clock& clock, ThisService about)
        : store_(store), days_(days), clock_(clock), about_(std::move(about)) {}

    Result<boost::json::object> read();

  private:
    Result<boost::json::object> make();

    metadata::Store& store_;
    UsageHistories& days_;
    const Clock& clock_;
    const ThisService about_;
    std::mutex mutex_;  // held while it is made: who comes meanwhile waits for that one
    boost::json::object made_;
    std::chrono::steady_clock::time_point good_until_;
};

}  // namespace tessera::service
