// What event streams tell: read from the store by their one thread, and for a reader that comes back by its own.
#include <algorithm>
#include <tuple>
#include <utility>

#include "core/log.hpp"
#include "service/jobs/event_streams.hpp"
#include "service/jobs/event_text.hpp"
#include "service/jobs/event_times.hpp"

namespace tessera::service {
namespace {

constexpr std::chrono::milliseconds shortest_pause{50};  // what changes within it is read together
constexpr std::chrono::milliseconds look_interval{1'000};
constexpr std::chrono::milliseconds shortest_look_interval{100};

int rank(JobStatus status) {
    return std::min(static_cast<int>(status), static_cast<int>(JobStatus::succeeded));  // both ends alike
}

bool is_newer(const EventPlace& place, const EventPlace& told) {
    return std::pair(place.at, rank(place.job->status)) > std::pair(told.at, rank(told.job->status));
}

EventStream::Event shared(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

void sort_by_time(std::vector<Job>& jobs) {
    std::ranges::sort(jobs, {}, [](const Job& job) { return std::tuple(job.updated_at, rank(job.status), job.id); });
}

}  // namespace

void EventStreams::work(const std::stop_token& stop) {
    auto looked = Clock::now();
    auto read = looked;
    auto beat = looked;
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (accounts_.empty()) {
            woken_.wait(lock, stop, [&] { return !accounts_.empty(); });
            beat = Clock::now();
            continue;
        }
        const bool changed = has_changed_;
        const bool missed = some_were_missed_;
        const auto look_at = looked + (missed ? shortest_look_interval : look_interval);
        const auto next = std::min(changed ? std::min(look_at, read + shortest_pause) : look_at,
                                   beat + std::chrono::milliseconds(config_.heartbeat));
        if (Clock::now() < next) {
            woken_.wait_until(lock, stop, next, [&] { return has_changed_ != changed || some_were_missed_ != missed; });
            if (Clock::now() < next) continue;
        }
        if (std::exchange(has_changed_, false)) {
            read = Clock::now();
            lock.unlock();
            read_changed();
            lock.lock();
        }
        if (Clock::now() >= look_at) {
            some_were_missed_ = false;
            lock.unlock();
            look_for_changes();
            looked = Clock::now();
            lock.lock();
        }
        if (Clock::now() >= beat + std::chrono::milliseconds(config_.heartbeat)) {
            beat = Clock::now();
            lock.unlock();
            send_heartbeats();
            lock.lock();
        }
    }
}

void EventStreams::read_changed() {
    const Accounts accounts = all_accounts();
    std::vector<Uuid> ids;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& account : accounts) {
            ids.insert(ids.end(), account->changed.begin(), account->changed.end());
            account->changed.clear();
        }
    }
    publish(ids, accounts);
}

// What was not told of, such as progress, and changes whose word was lost.
void EventStreams::look_for_changes() {
    const Accounts accounts = all_accounts();
    std::vector<Uuid> ids;
    Timestamp since = Timestamp::max();
    std::unordered_map<Uuid, Account*> by_id;
    for (const auto& account : accounts) {
        ids.push_back(account->id);
        by_id.emplace(account->id, account.get());
        since = std::min(since, std::max(account->known_from, looked_at_ - look_back));
    }
    if (ids.empty()) return;
    const auto changed = store_.job_watch().changed_since(ids, since, most_marks);
    if (!changed) return;  // the store says so itself; the next look goes back as far
    std::unordered_map<Uuid, std::size_t> marks_of;
    std::vector<Uuid> news;
    for (const metadata::JobMark& mark : changed->marks) {
        Account& account = *by_id.at(mark.account_id);
        ++marks_of[mark.account_id];
        if (mark.at < account.known_from) continue;
        const auto told = account.told.find(mark.job_id);
        const EventPlace place{mark.at, EventPlace::OfJob{mark.job_id, mark.status}};
        if (told == account.told.end() || is_newer(place, told->second)) news.push_back(mark.job_id);
    }
    publish(news, accounts);
    looked_at_ = changed->now;
    for (const auto& [id, marks] : marks_of) {
        if (marks < static_cast<std::size_t>(most_marks)) continue;
        const Event gap = shared(gap_text({looked_at_}, GapReason::too_many));
        for (const auto& stream : streams_of(*by_id.at(id))) put(*stream, gap);
    }
    // What no look comes back to need not be known.
    const Timestamp known_until = looked_at_ - 2 * look_back;
    for (const auto& account : accounts) {
        std::erase_if(account->told, [&](const auto& entry) { return entry.second.at < known_until; });
    }
}

void EventStreams::publish(const std::vector<Uuid>& ids, const Accounts& accounts) {
    if (ids.empty()) return;
    auto jobs = store_.job_watch().find_all(ids);
    if (!jobs) {
        const std::lock_guard lock(mutex_);
        some_were_missed_ = true;
        return;
    }
    sort_by_time(*jobs);
    std::unordered_map<Uuid, std::pair<Account*, std::vector<std::shared_ptr<EventStream>>>> readers;
    for (const auto& account : accounts) readers.emplace(account->id, std::pair(account.get(), streams_of(*account)));
    for (const Job& job : *jobs) {
        const auto found = readers.find(job.account_id);
        if (found == readers.end()) continue;
        auto& [account, streams] = found->second;
        const EventPlace place = place_of(job);
        const auto [told, is_first] = account->told.emplace(job.id, place);
        if (!is_first && !is_newer(place, told->second)) continue;
        told->second = place;
        const Event event = event_of(*account, job);
        for (const auto& stream : streams) {
            if (stream->wants(job.id)) put(*stream, event);
        }
    }
}

EventStreams::Event EventStreams::event_of(const Account& account, const Job& job) const {
    JobView view{job, {}};
    // Without addresses: they are signed, and made for whoever asks.
    if (account.shows_tilesets && job.status == JobStatus::succeeded) view.tileset = tileset_named_in(job.result_json);
    return shared(event_text(place_of(job), to_string(job.status), render_(view)));
}

void EventStreams::put(EventStream& stream, const Event& event) const {
    stream.put(event, [this] { return shared(gap_text({looked_at_}, GapReason::slow_reader)); });
}

void EventStreams::send_heartbeats() {
    const auto oldest = Clock::now() - std::chrono::milliseconds(config_.longest_stream);
    const Event heartbeat = shared(heartbeat_text({looked_at_}));
    for (const auto& account : all_accounts()) {
        // One that came after the last look has a place of its own.
        if (account->known_from > looked_at_) continue;
        std::vector<Reader> readers;
        {
            const std::lock_guard lock(mutex_);
            readers = account->readers;
        }
        for (const Reader& reader : readers) {
            put(*reader.stream, heartbeat);
            if (reader.opened_at < oldest) reader.stream->end();
        }
    }
}

Result<std::vector<EventStreams::Event>> EventStreams::first_events(const Account& account, const EventStream& stream,
                                                                    std::optional<std::string_view> last_event_id) {
    const auto clock = store_.job_watch().changed_since({}, {}, 0);
    if (!clock) return clock.error();
    const EventPlace here{clock->now};
    std::vector<Event> events{shared(beginning_text(here))};
    if (!last_event_id) return events;
    const auto last = parse_event_place(*last_event_id);
    const auto with_gap = [&](GapReason reason) {
        events.push_back(shared(gap_text(here, reason)));
        return events;
    };
    if (!last || last->at > clock->now + look_back) return with_gap(GapReason::id_unknown);
    if (last->at < clock->now - config_.kept) return with_gap(GapReason::too_old);
    auto missed = missed_events(account, stream, *last);
    if (!missed) return std::move(missed).error();
    if (missed->size() > config_.max_catch_up) return with_gap(GapReason::too_many);
    // Where it was, until it has been told what it missed.
    events = {shared(beginning_text(*last))};
    events.insert(events.end(), missed->begin(), missed->end());
    return events;
}

// One more than are told when there are too many.
Result<std::vector<EventStreams::Event>> EventStreams::missed_events(const Account& account, const EventStream& stream,
                                                                     const EventPlace& last) {
    const auto at_most = static_cast<int>(config_.max_catch_up) + 1;
    const auto changed = store_.job_watch().changed_since(std::span(&account.id, 1), last.at - look_back, at_most);
    if (!changed) return changed.error();
    std::vector<Uuid> ids;
    for (const metadata::JobMark& mark : changed->marks) {
        const EventPlace place{mark.at, EventPlace::OfJob{mark.job_id, mark.status}};
        if (place != last && stream.wants(mark.job_id)) ids.push_back(mark.job_id);
    }
    if (changed->marks.size() > config_.max_catch_up) return std::vector<Event>(config_.max_catch_up + 1);
    auto jobs = store_.job_watch().find_all(ids);
    if (!jobs) return std::move(jobs).error();
    sort_by_time(*jobs);
    std::vector<Event> events;
    for (const Job& job : *jobs) events.push_back(event_of(account, job));
    return events;
}

}  // namespace tessera::service
