// A retry is the same request, whatever happened to the world: requests of every operation are made by a seed, the
// world is changed in every way there is, and each is sent again after each change.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "core/hash.hpp"
#include "replay_world.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;
using metadata::backends;
using metadata::must;

struct Sent {
    json::object request;
    std::string key;
    Uuid job;
};

// The same request in another spelling: every object's fields the other way round.
json::value turned_round(const json::value& value) {
    if (const json::array* items = value.if_array()) {
        json::array out;
        for (const json::value& item : *items) out.push_back(turned_round(item));
        return out;
    }
    const json::object* fields = value.if_object();
    if (fields == nullptr) return value;
    json::object out;
    for (std::size_t i = fields->size(); i-- > 0;) {
        const json::key_value_pair& field = *(fields->begin() + static_cast<std::ptrdiff_t>(i));
        out.emplace(field.key(), turned_round(field.value()));
    }
    return out;
}

class Replays : public ReplayWorld {
  protected:
    void send_all() {
        sent_.clear();
        for (const std::string_view operation : {"resize", "optimize", "tile", "grid_render", "tile_patch"}) {
            for (int i = 0; i < 3; ++i) {
                Sent sent{request_of(operation), "key-of-" + std::string(operation) + ":" + std::to_string(i), {}};
                const auto accepted = submit(sent.request, sent.key);
                ASSERT_TRUE(accepted.ok()) << json::serialize(sent.request) << " " << accepted.error().message;
                ASSERT_FALSE(accepted->replayed);
                sent.job = accepted->view.job.id;
                sent_.push_back(std::move(sent));
            }
        }
    }
    void send_all_again(const std::string& after) {
        const std::int64_t credits = credits_used();
        for (const Sent& sent : sent_) {
            const std::string what = "after: " + after + ": " + json::serialize(sent.request);
            const auto again = submit(turned_round(sent.request).as_object(), sent.key);
            ASSERT_TRUE(again.ok()) << what << ": " << again.error().message;
            EXPECT_TRUE(again->replayed) << what;
            EXPECT_EQ(again->view.job.id, sent.job) << what;
            // Other work with the same key stays other work, too.
            const auto refused = submit(other_work(sent.request), sent.key);
            ASSERT_FALSE(refused.ok()) << what;
            EXPECT_EQ(refused.error().code, ErrorCode::idempotency_conflict) << what << refused.error().message;
        }
        EXPECT_EQ(credits_used(), credits) << "after: " << after;
    }
    void change_and_send_again() {
        for (const auto& [name, change] : changes()) {
            if (HasFatalFailure()) return;
            change();
            send_all_again(name);
        }
    }
    std::vector<Sent> sent_;

  private:
    static json::object other_work(json::object request) {
        json::object& options = request.at("options").as_object();
        if (request.at("operation") == "tile_patch") {
            options.at("patches").as_array().at(0).at("color") = "#123456";
        } else {
            const json::value* given = options.if_contains("quality");
            options["quality"] = 101 - (given != nullptr ? given->to_number<std::int64_t>() : 80);
        }
        return request;
    }
};

TEST_P(Replays, AreAnsweredWithTheJobWhateverHappenedToTheWorld) {
    for (const unsigned seed : {1U, 2U, 3U}) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        begin(seed);
        send_all();
        change_and_send_again();
        if (HasFatalFailure()) return;
    }
}

// Version 0.1.0 made fingerprints of the options with every default, as they are stored with the job.
TEST_P(Replays, OfJobsThatVersion010AcceptedAreAnsweredToo) {
    begin(7);
    for (const std::string_view operation : {"resize", "optimize", "tile", "grid_render", "tile_patch"}) {
        Sent sent{request_of(operation), "old-key:" + std::string(operation), {}};
        const auto made = submit(sent.request, "new-key:" + std::string(operation));
        ASSERT_TRUE(made.ok()) << made.error().message;
        metadata::Submission old;
        old.job = made->view.job;
        old.job.id = sent.job = Uuid::time_ordered();
        const std::string asset_id = old.job.asset_id ? old.job.asset_id->to_string() : "";
        old.idempotency = {sent.key, sha256(old.job.operation + "\n" + asset_id + "\n" + old.job.options_json)};
        StoreTest::submit(old);
        sent_.push_back(std::move(sent));
    }
    change_and_send_again();
}

}  // namespace
TESSERA_ON_EVERY_BACKEND(Replays);
}  // namespace tessera::service
