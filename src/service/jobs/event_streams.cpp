#include "service/jobs/event_streams.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "service/jobs/event_times.hpp"

namespace tessera::service {
namespace {

// An account that changes faster is looked through instead.
constexpr std::size_t most_changed = 20'000;

Error too_many_streams(std::size_t allowed) {
    const auto number = static_cast<std::int64_t>(allowed);
    return Error{ErrorCode::event_streams_exceeded,
                 "the account has " + std::to_string(number) + " event streams open, as many as it may",
                 {}}
        .with_limit({.name = "waiting.max_streams_per_account", .unit = "streams", .allowed = number, .left = 0});
}
Error no_room_for_streams() {
    return {ErrorCode::overloaded, "too many event streams are open on this node", {}, 5};
}

}  // namespace

EventStreams::EventStreams(metadata::Store& store, EventsConfig config, Render render)
    : store_(store), config_(config), render_(std::move(render)) {
    job_subscription_ = store_.on_job_changes([this](metadata::Store::JobChanges changes) { on_changes(changes); });
    change_subscription_ = store_.on_change([this](const metadata::Change& change) { on_change(change); });
    thread_ = std::jthread([this](const std::stop_token& stop) {
        pthread_setname_np(pthread_self(), "job-events");
        work(stop);
    });
}

EventStreams::~EventStreams() {
    job_subscription_.reset();
    change_subscription_.reset();
    thread_.request_stop();
}

Result<void> EventStreams::check_room(const Uuid& account_id) const {
    const auto found = accounts_.find(account_id);
    const std::size_t open = found == accounts_.end() ? 0 : found->second->readers.size();
    if (open >= config_.max_streams_per_account) return too_many_streams(config_.max_streams_per_account);
    if (count_ >= config_.max_streams) return no_room_for_streams();
    return {};
}

// With all that has changed lately known, so that only what comes is news.
Result<std::shared_ptr<EventStreams::Account>> EventStreams::account_of(const Principal& principal) {
    const Uuid id = principal.account.id;
    {
        const std::lock_guard lock(mutex_);
        if (auto room = check_room(id); !room) return std::move(room).error();
        if (const auto found = accounts_.find(id); found != accounts_.end()) return found->second;
    }
    const auto clock = store_.job_watch().changed_since({}, {}, 0);
    if (!clock) return clock.error();
    auto account = std::make_shared<Account>();
    account->id = id;
    account->shows_tilesets = principal.has_feature(cdn_delivery_feature);
    account->known_from = clock->now - look_back;
    const auto known = store_.job_watch().changed_since(std::span(&id, 1), account->known_from, most_marks);
    if (!known) return known.error();
    for (const metadata::JobMark& mark : known->marks) {
        account->told.emplace(mark.job_id, EventPlace{mark.at, EventPlace::OfJob{mark.job_id, mark.status}});
    }
    return account;
}

Result<std::shared_ptr<EventStream>> EventStreams::open(const Principal& principal,
                                                        std::optional<std::string_view> last_event_id,
                                                        std::optional<Uuid> only_job) {
    auto account = account_of(principal);
    if (!account) return std::move(account).error();
    auto stream = std::make_shared<EventStream>((*account)->id, only_job, config_.max_waiting_bytes);
    {
        const std::lock_guard lock(mutex_);
        // Others may have come meanwhile, and the account's last reader may have gone.
        if (auto room = check_room((*account)->id); !room) return std::move(room).error();
        const auto [known, added] = accounts_.emplace((*account)->id, *account);
        *account = known->second;
        (*account)->readers.push_back({stream, Clock::now()});
        ++count_;
        if (added) woken_.notify_one();
    }
    // From here on nothing that happens is missed; what happened before goes first.
    auto first = first_events(**account, *stream, last_event_id);
    if (!first) {
        leave(stream);
        return std::move(first).error();
    }
    stream->put_first(*first);
    return stream;
}

void EventStreams::leave(const std::shared_ptr<EventStream>& stream) {
    stream->end();
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(stream->account_id());
    if (found == accounts_.end()) return;
    count_ -= std::erase_if(found->second->readers, [&](const Reader& reader) { return reader.stream == stream; });
    if (found->second->readers.empty()) accounts_.erase(found);
}

std::size_t EventStreams::count() const {
    const std::lock_guard lock(mutex_);
    return count_;
}

std::vector<std::shared_ptr<EventStream>> EventStreams::streams_of(const Account& account) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<EventStream>> streams;
    for (const Reader& reader : account.readers) streams.push_back(reader.stream);
    return streams;
}

EventStreams::Accounts EventStreams::all_accounts() const {
    const std::lock_guard lock(mutex_);
    Accounts all;
    for (const auto& [id, account] : accounts_) all.push_back(account);
    return all;
}

void EventStreams::on_changes(metadata::Store::JobChanges changes) {
    const std::lock_guard lock(mutex_);
    if (accounts_.empty()) return;
    const bool slept = !has_changed_ && !some_were_missed_;
    if (changes.empty()) some_were_missed_ = true;
    for (const metadata::JobChange& change : changes) {
        const auto found = accounts_.find(change.account_id);
        if (found == accounts_.end()) continue;
        if (found->second->changed.size() >= most_changed) {
            some_were_missed_ = true;
        } else {
            found->second->changed.insert(change.job_id);
            has_changed_ = true;
        }
    }
    if (slept && (has_changed_ || some_were_missed_)) woken_.notify_one();
}

// Whoever may no longer read, or may read something else, comes back and is asked for the key again.
void EventStreams::on_change(const metadata::Change& change) {
    using Kind = metadata::Change::Kind;
    std::vector<std::shared_ptr<EventStream>> affected;
    {
        const std::lock_guard lock(mutex_);
        const bool of_account = change.kind == Kind::account || change.kind == Kind::erased_account;
        if (!of_account && change.kind != Kind::everything) return;
        for (const auto& [id, account] : accounts_) {
            if (of_account && id != change.id) continue;
            for (const Reader& reader : account->readers) affected.push_back(reader.stream);
        }
    }
    for (const auto& stream : affected) stream->end();
}

}  // namespace tessera::service
