// Work of many accounts that waits for a few places: whose turn it is, and who may not come in. A plain structure, with
// no clock, lock or thread of its own.
//
// The next is, of the accounts that wait and have not used up their share of the places, the one that owes least; among
// equals the one that was served longest ago. What work takes beyond the usual is owed, and half of that is forgiven in
// every half-life. Whoever owes more than is tolerated has one place at a time, and all such accounts together leave
// one place to the others. Whoever owes too much waits until it is less, even where places are free.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/uuid.hpp"

namespace tessera {

struct FairTerms {
    using Span = std::chrono::nanoseconds;
    static constexpr Span no_limit = Span::max();

    std::size_t places = 1;
    std::size_t share = 1;  // of one account
    std::size_t most_waiting_each = 128;
    std::size_t most_waiting = 4'096;
    Span longest_wait = no_limit;
    Span usual = no_limit;  // work that takes no longer is owed to nobody
    Span tolerated = std::chrono::milliseconds(500);
    Span most_owed = std::chrono::seconds(10);
    Span half_life = std::chrono::seconds(60);
};

enum class FairRefusal { account_has_too_many, all_have_too_many, closed };

template <typename Item>
class FairQueue {
  public:
    using Span = FairTerms::Span;
    using Time = std::chrono::steady_clock::time_point;
    struct Turn {
        Uuid account;
        Item item;
        bool is_debtor = false;
    };

    explicit FairQueue(const FairTerms& terms) : terms_(terms) {}

    // Takes the item, or leaves it alone and says why not.
    std::optional<FairRefusal> add(const Uuid& id, Item&& item, Time now) {
        if (const auto reason = refusal(id)) return reason;
        if (accounts_.size() > waiting_ + running_ + many_idle) forget_the_idle(now);
        const auto [entry, is_new] = accounts_.try_emplace(id);
        Account& account = entry->second;
        if (is_new) account.last_served = ++turns_;  // behind whoever waits already
        account.waiting.push_back({std::move(item), now});
        ++waiting_;
        return std::nullopt;
    }

    // The next turn, which takes a place until done(). Nothing where nobody waits who may have one.
    std::optional<Turn> next(Time now) {
        if (waiting_ == 0 || running_ >= terms_.places) return std::nullopt;
        auto best = accounts_.end();
        double least = 0;
        for (auto entry = accounts_.begin(); entry != accounts_.end(); ++entry) {
            const Account& account = entry->second;
            if (account.waiting.empty() || !may_run(account, now)) continue;
            const double owed = seconds_owed(account, now);
            const bool better = best == accounts_.end() || owed < least ||
                                (owed == least && account.last_served < best->second.last_served);
            if (!better) continue;
            best = entry;
            least = owed;
        }
        if (best == accounts_.end()) return std::nullopt;
        Account& account = best->second;
        Turn turn{best->first, std::move(account.waiting.front().item), is_debtor(account, now)};
        account.waiting.pop_front();
        account.last_served = ++turns_;
        --waiting_;
        ++running_;
        ++account.running;
        account.debtors += turn.is_debtor ? 1 : 0;
        debtors_ += turn.is_debtor ? 1 : 0;
        return turn;
    }

    // What a turn of this account took.
    void done(const Uuid& id, Span took, Time now) {
        const auto entry = accounts_.find(id);
        Account& account = entry->second;
        --running_;
        --account.running;
        if (account.debtors > 0) {  // it has one turn at a time from then on, and earlier ones are as good as that
            --account.debtors;
            --debtors_;
        }
        if (took > terms_.usual) {
            account.owed_s = seconds_owed(account, now) + in_seconds(took - terms_.usual);
            account.owed_at = now;
        }
        if (is_idle(account, now)) accounts_.erase(entry);
    }

    // Those that have waited for too long, and wait no more.
    [[nodiscard]] std::vector<Item> overdue(Time now) {
        std::vector<Item> items;
        if (terms_.longest_wait == FairTerms::no_limit) return items;
        for (auto& [id, account] : accounts_) {
            while (!account.waiting.empty() && now - account.waiting.front().since >= terms_.longest_wait) {
                items.push_back(std::move(account.waiting.front().item));
                account.waiting.pop_front();
                --waiting_;
            }
        }
        return items;
    }

    // All that wait, which wait no more.
    [[nodiscard]] std::vector<Item> clear() {
        std::vector<Item> items;
        for (auto& [id, account] : accounts_) {
            for (Waiting& one : account.waiting) items.push_back(std::move(one.item));
            account.waiting.clear();
        }
        waiting_ = 0;
        return items;
    }

    // When to look again though nothing was added or done: somebody has waited too long then, or may run.
    [[nodiscard]] std::optional<Time> next_change(Time now) const {
        std::optional<Time> soonest;
        const auto consider = [&](Time time) { soonest = soonest ? std::min(*soonest, time) : time; };
        for (const auto& [id, account] : accounts_) {
            if (account.waiting.empty()) continue;
            if (terms_.longest_wait != FairTerms::no_limit)
                consider(account.waiting.front().since + terms_.longest_wait);
            if (const Span wait = until_forgiven(account, now); wait > Span::zero()) consider(now + wait);
        }
        return soonest;
    }

    // How long this account is kept waiting for what it owes, whoever else waits.
    [[nodiscard]] Span kept_waiting(const Uuid& id, Time now) const {
        const auto found = accounts_.find(id);
        return found == accounts_.end() ? Span::zero() : until_forgiven(found->second, now);
    }
    // Why nothing of this account can be added now.
    [[nodiscard]] std::optional<FairRefusal> refusal(const Uuid& id) const {
        const auto found = accounts_.find(id);
        const std::size_t own = found == accounts_.end() ? 0 : found->second.waiting.size();
        if (own >= terms_.most_waiting_each) return FairRefusal::account_has_too_many;
        if (waiting_ >= terms_.most_waiting) return FairRefusal::all_have_too_many;
        return std::nullopt;
    }
    [[nodiscard]] std::size_t waiting() const { return waiting_; }
    [[nodiscard]] std::size_t running() const { return running_; }
    [[nodiscard]] Span oldest(Time now) const {
        Span longest{0};
        for (const auto& [id, account] : accounts_) {
            if (!account.waiting.empty()) longest = std::max(longest, now - account.waiting.front().since);
        }
        return longest;
    }
    [[nodiscard]] std::size_t accounts_known() const { return accounts_.size(); }

  private:
    struct Waiting {
        Item item;
        Time since;
    };
    struct Account {
        std::deque<Waiting> waiting;
        std::size_t running = 0;
        std::size_t debtors = 0;  // of those, begun when it owed too much
        std::uint64_t last_served = 0;
        double owed_s = 0;  // at that time
        Time owed_at;
    };
    // Less is as good as nothing: otherwise the last microsecond of a debt would cost a turn.
    static constexpr double smallest_debt_s = 0.001;
    static constexpr std::size_t many_idle = 1'000;

    static double in_seconds(Span span) { return std::chrono::duration<double>(span).count(); }

    [[nodiscard]] double seconds_owed(const Account& account, Time now) const {
        if (account.owed_s == 0) return 0;
        const double halves = in_seconds(now - account.owed_at) / in_seconds(terms_.half_life);
        const double left = account.owed_s * std::exp2(-halves);
        return left < smallest_debt_s ? 0 : left;
    }
    [[nodiscard]] bool is_debtor(const Account& account, Time now) const {
        return seconds_owed(account, now) > in_seconds(terms_.tolerated);
    }
    [[nodiscard]] bool may_run(const Account& account, Time now) const {
        if (account.running >= terms_.share) return false;
        if (!is_debtor(account, now)) return true;
        const std::size_t for_debtors = std::max<std::size_t>(1, terms_.places - 1);
        return account.running == 0 && debtors_ < for_debtors && until_forgiven(account, now) <= Span::zero();
    }
    [[nodiscard]] Span until_forgiven(const Account& account, Time now) const {
        const double too_much = seconds_owed(account, now) / in_seconds(terms_.most_owed);
        if (too_much <= 1) return Span::zero();
        const std::chrono::duration<double> wait(in_seconds(terms_.half_life) * std::log2(too_much));
        return std::chrono::ceil<std::chrono::milliseconds>(wait);
    }
    [[nodiscard]] bool is_idle(const Account& account, Time now) const {
        return account.waiting.empty() && account.running == 0 && seconds_owed(account, now) == 0;
    }
    void forget_the_idle(Time now) {
        std::erase_if(accounts_, [&](const auto& entry) { return is_idle(entry.second, now); });
    }

    const FairTerms terms_;
    std::unordered_map<Uuid, Account> accounts_;
    std::size_t waiting_ = 0;
    std::size_t running_ = 0;
    std::size_t debtors_ = 0;
    std::uint64_t turns_ = 0;
};

}  // namespace tessera
