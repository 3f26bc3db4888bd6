// SingleFlight: when many ask for the same thing at the same time, one goes and gets it, and all get what it brought.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "core/result.hpp"

namespace tessera::blobs {

template <typename Key, typename Value>
class SingleFlight {
  public:
    Result<Value> run(const Key& key, const std::function<Result<Value>()>& get) {
        std::unique_lock lock(mutex_);
        if (const auto found = flights_.find(key); found != flights_.end()) {
            const auto flight = found->second;
            landed_.wait(lock, [&] { return flight->landed; });
            return flight->result;
        }
        const auto flight = flights_.emplace(key, std::make_shared<Flight>()).first->second;
        lock.unlock();
        Result<Value> result = internal_error("interrupted");
        try {
            result = get();
        } catch (...) {  // those who wait must not wait for ever
            land(key, *flight, result);
            throw;
        }
        land(key, *flight, result);
        return result;
    }

  private:
    struct Flight {
        bool landed = false;
        Result<Value> result = internal_error("in flight");
    };
    void land(const Key& key, Flight& flight, const Result<Value>& result) {
        const std::lock_guard lock(mutex_);
        flight.result = result;
        flight.landed = true;
        flights_.erase(key);
        landed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable landed_;
    std::map<Key, std::shared_ptr<Flight>> flights_;
};

}  // namespace tessera::blobs
