// All that a job request depends on besides itself: plan, configuration, assets, tilesets, time, entitlement, queue. By
// a seed, requests are made that this world accepts, and the world is changed.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "operations/registry.hpp"
#include "service/jobs/job_service.hpp"
#include "store_test.hpp"

namespace tessera::service {

class ReplayWorld : public metadata::StoreTest {
  protected:
    using Change = std::pair<std::string, std::function<void()>>;

    void begin(unsigned seed);
    Result<SubmittedJob> submit(const boost::json::object& request, const std::string& key);
    boost::json::object request_of(std::string_view operation);
    // Everything that can happen to the world, in an order that the seed says. Twenty hours pass in all: keys are
    // kept for a day.
    std::vector<Change> changes();
    std::int64_t credits_used() { return metadata::must(store->usage().current(principal_.account.id)).credits_used; }

    std::size_t upto(std::size_t count) { return random_() % count; }
    bool perhaps() { return upto(2) == 0; }

    Principal principal_;

  private:
    void start_node(const operations::WorkerLimits& limits);
    Uuid add_asset(ImageFormat format, bool has_alpha, std::optional<Timestamp> expires_at);
    // Queues a job that makes a tileset, or rebuilds one, behind the client's back.
    void queue_tile_job(std::optional<Uuid> tileset);
    // Ends every job in the queue; those on tilesets publish versions of this size.
    void run_queue(std::int64_t size);
    // Empty where the job's tileset is gone.
    std::optional<metadata::Completion> outcome_of(const Job& job, std::int64_t size);

    boost::json::object resize();
    boost::json::object optimize();
    boost::json::object tile();
    boost::json::object grid_render();
    boost::json::object tile_patch();
    std::string asset() { return assets_[upto(assets_.size())].to_string(); }
    std::string tileset() { return tilesets_[upto(tilesets_.size())].to_string(); }

    std::mt19937 random_;
    operations::Registry registry_ = operations::Registry::built_in();
    Signer signer_{{"secret"}, {}};
    std::unique_ptr<Links> links_;
    std::unique_ptr<JobService> service_;
    std::vector<Uuid> assets_;
    std::vector<Uuid> tilesets_;
};

}  // namespace tessera::service
