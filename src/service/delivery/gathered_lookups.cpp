#include "service/delivery/gathered_lookups.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::service {
namespace {

// A viewer of a tileset that was deleted asks for some dozen tiles at once; nobody comes by many more by accident.
constexpr double alone_at_first = 30;
constexpr double alone_per_second = 1;
constexpr double most_held_against = 2 * alone_at_first;
constexpr std::size_t most_askers = 10'000;
constexpr std::size_t most_at_once = 2'000;
// Clocks of nodes may differ, and one that is wrong by hours must not hide what its node makes.
constexpr std::chrono::hours clock_tolerance{24};

}  // namespace

bool could_be_ours(const Uuid& id) {
    // In milliseconds: as nanoseconds, what stands in an id may be more than can be counted.
    using std::chrono::milliseconds;
    const auto now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    const auto made_at = id.made_at();
    return made_at && *made_at <= now + clock_tolerance;
}

GatheredLookups::GatheredLookups(metadata::Tilesets& tilesets, std::chrono::milliseconds pace)
    : tilesets_(tilesets), pace_(pace) {}

GatheredLookups::~GatheredLookups() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    for (const Question& question : waiting_) {
        question.answer(Error{ErrorCode::overloaded, "the service is stopping, try again", {}, 1});
    }
}

double GatheredLookups::left_of(const Unknowns& unknowns, Clock::time_point now) {
    const double passed = std::chrono::duration<double>(now - unknowns.at).count();
    return std::max(0.0, unknowns.count - passed * alone_per_second);
}

bool GatheredLookups::may_ask_alone(const Uuid& asker) {
    const std::lock_guard lock(mutex_);
    const auto found = askers_.find(asker);
    return found == askers_.end() || left_of(found->second, Clock::now()) < alone_at_first;
}

void GatheredLookups::note_unknown(const Uuid& asker) {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    if (askers_.size() >= most_askers) {
        std::erase_if(askers_, [&](const auto& entry) { return left_of(entry.second, now) <= 0; });
        if (askers_.size() >= most_askers) askers_.clear();
    }
    Unknowns& unknowns = askers_[asker];
    unknowns = {std::min(left_of(unknowns, now) + 1, most_held_against), now};
}

void GatheredLookups::ask(const metadata::TilesetVersionName& name, Answer answer) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({name, std::move(answer)});
        if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    wakes_.notify_one();
}

void GatheredLookups::work(const std::stop_token& stop) {
    auto next = Clock::now();
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        wakes_.wait(lock, stop, [&] { return !waiting_.empty(); });
        wakes_.wait_until(lock, stop, next, [] { return false; });  // whoever asks meanwhile is in the same query
        if (stop.stop_requested()) return;
        const auto count = std::min(waiting_.size(), most_at_once);
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<Question> questions(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
        waiting_.erase(waiting_.begin(), end);
        lock.unlock();
        next = Clock::now() + pace_;
        this->answer(std::move(questions));
        lock.lock();
    }
}

void GatheredLookups::answer(std::vector<Question> questions) {
    std::vector<metadata::TilesetVersionName> names;
    names.reserve(questions.size());
    for (const Question& question : questions) names.push_back(question.name);
    const auto owners = tilesets_.owners(names);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (owners) {
            questions[i].answer((*owners)[i]);
        } else {
            questions[i].answer(owners.error());
        }
    }
}

}  // namespace tessera::service
