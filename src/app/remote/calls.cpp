#include "app/remote/calls.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include "app/remote/refusal.hpp"

namespace tessera::remote {
namespace {

constexpr std::size_t most_waits = 256;  // connections that wait for jobs

Instant now() {
    return std::chrono::steady_clock::now();
}

double chance() {
    static std::minstd_rand generator{std::random_device{}()};
    return std::uniform_real_distribution<double>(0, 1)(generator);
}

}  // namespace

std::string_view name_of(Lane lane) {
    constexpr std::array<std::string_view, lane_count> names{"uploads",          "jobs",      "reads of jobs",
                                                             "reads of results", "downloads", "requests"};
    return names[static_cast<std::size_t>(lane)];
}

Calls::Calls(Transfers& transfers, RetryRules rules, std::size_t at_once)
    : transfers_(transfers), rules_(rules), at_once_(at_once) {}

std::size_t Calls::room(Lane lane) const {
    return lane == Lane::job_reads ? most_waits : at_once_;
}

void Calls::send(Lane lane, Request request, Done done, Millis not_before) {
    queue(lane).waiting.push_back({std::move(request), std::move(done), now() + not_before});
}

void Calls::close(Lane lane) {
    queue(lane).closed = true;
}

void Calls::abandon() {
    for (Queue& each : lanes_) each.waiting.clear();
    transfers_.drop_all();
}

bool Calls::idle() const {
    return std::ranges::all_of(lanes_, [](const Queue& q) { return q.waiting.empty() && q.under_way == 0; });
}

void Calls::start(Lane lane, Call call, Instant when) {
    Queue& its = queue(lane);
    ++its.under_way;
    const std::uint64_t number = its.pacer.sent(when);
    Request request = call.request;  // the call keeps its own, for the next try
    auto kept = std::make_shared<Call>(std::move(call));
    transfers_.start(std::move(request), [this, lane, kept, number, when](Answer answer) {
        take(lane, std::move(*kept), number, when, std::move(answer));
    });
}

void Calls::take(Lane lane, Call call, std::uint64_t number, Instant sent_at, Answer answer) {
    Queue& its = queue(lane);
    --its.under_way;
    const Instant at = now();
    if (const auto told = rate_limit_of(answer)) {
        its.pacer.answered(number, sent_at, at, *told);
    } else {
        its.pacer.learned_nothing();
    }
    const auto pause = pause_before_next(rules_, call.tries, answer, at, std::chrono::system_clock::now(), chance());
    if (!pause) {
        if (answer.failure.empty()) trouble_.clear();
        call.done(std::move(answer));
        return;
    }
    if (asks_to_wait(answer)) {
        if (refusal_of(answer).code == "rate_limited") {
            ++refusals_by_rate_;
            its.pacer.hold_until(at + *pause);
        }
    } else {
        trouble_ = refusal_of(answer).error;
    }
    call.not_before = at + *pause;
    its.waiting.push_front(std::move(call));  // it keeps its place
}

void Calls::start_due(Lane lane, Instant when) {
    Queue& its = queue(lane);
    if (its.closed) {
        std::deque<Call> dropped;
        dropped.swap(its.waiting);
        for (Call& call : dropped) {
            Answer answer;
            answer.failure = "stopped";
            answer.dropped = true;
            call.done(std::move(answer));
        }
        return;
    }
    while (its.under_way < room(lane) && its.pacer.next(when) <= when) {
        const auto due = std::ranges::find_if(its.waiting, [&](const Call& call) { return call.not_before <= when; });
        if (due == its.waiting.end()) return;
        Call call = std::move(*due);
        its.waiting.erase(due);
        start(lane, std::move(call), when);
    }
}

Millis Calls::until_next(Instant when, Millis at_most) const {
    Instant next = when + at_most;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const Queue& its = lanes_[i];
        if (its.waiting.empty() || its.under_way >= room(static_cast<Lane>(i))) continue;
        const auto first = std::ranges::min_element(its.waiting, {}, &Call::not_before);
        next = std::min(next, std::max(its.pacer.next(when), first->not_before));
    }
    return std::max(Millis(0), std::chrono::ceil<Millis>(next - when));
}

void Calls::step(Millis at_most) {
    const Instant when = now();
    for (std::size_t i = 0; i < lane_count; ++i) start_due(static_cast<Lane>(i), when);
    transfers_.wait(until_next(when, at_most));
}

std::optional<Calls::Hold> Calls::held(Instant when) const {
    std::optional<Hold> longest;
    for (std::size_t i = 0; i < lane_count; ++i) {
        if (lanes_[i].waiting.empty()) continue;
        const Millis left = std::chrono::ceil<Millis>(lanes_[i].pacer.next(when) - when);
        if (left > Millis(1000) && left < std::chrono::minutes(30) && (!longest || left > longest->left))
            longest = Hold{static_cast<Lane>(i), left, lanes_[i].pacer.pace()};
    }
    return longest;
}

}  // namespace tessera::remote
