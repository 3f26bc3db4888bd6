#include "app/check/check.hpp"

#include <boost/json.hpp>

#include "app/command_failed.hpp"
#include "blobs/s3/parallel.hpp"
#include "metadata/accounts.hpp"
#include "metadata/audit.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

constexpr int rows_of_a_page = 500;
constexpr std::size_t blobs_at_once = 8;

// The second segment of every key is its account's id.
std::optional<Uuid> account_of(const std::string& key) {
    const std::size_t begin = key.find('/') + 1;
    return Uuid::parse(key.substr(begin, key.find('/', begin) - begin));
}

}  // namespace

void Check::run() {
    place_ = journal_.place();
    bytes_ = place_.bytes;
    report_.begin(journal_.run(), journal_.goes_on(), place_);
    journal_.replay([&](const Finding& finding) { report_.found(finding); });
    report_.expect(must(stores_.inventory.size()), journal_.run().checksums);
    if (place_.phase == CheckPhase::database) look_at_database();
    if (place_.phase == CheckPhase::leftovers) look_for_leftovers();
    if (place_.phase == CheckPhase::rows) compare_rows();
    if (place_.phase == CheckPhase::blobs) look_for_orphans();
    report_.end(place_);
    journal_.finish();
}

void Check::look_at_database() {
    for (std::string& said : must(stores_.inventory.problems())) {
        settle({.kind = FindingKind::database, .where = std::move(said)});
    }
    reached(CheckPhase::leftovers, "");
}

void Check::look_for_leftovers() {
    std::vector<Finding> found;
    must(stores_.blobs.leftovers(stores_.clock.now() - stores_.orphan_age, [&](const blobs::Leftover& leftover) {
        const bool stray = leftover.kind == blobs::Leftover::Kind::stray;
        Finding finding{.kind = stray ? FindingKind::stray : FindingKind::leftover, .where = leftover.where};
        if (leftover.bytes > 0) finding.detail = std::to_string(leftover.bytes) + " bytes";
        found.push_back(std::move(finding));
    }));
    for (Finding& finding : found) settle(std::move(finding));
    reached(CheckPhase::rows, "");
}

void Check::compare_rows() {
    while (true) {
        const auto page = must(stores_.inventory.blobs(place_.cursor, rows_of_a_page));
        std::vector<std::optional<Finding>> found(page.size());
        const auto done = blobs::in_parallel(page.size(), blobs_at_once, [&](std::size_t i) -> Result<void> {
            auto compared = compare(page[i]);
            if (!compared) return compared.error();
            found[i] = *std::move(compared);
            return {};
        });
        if (!done) {
            throw CommandFailed(ExitCode::failed,
                                told(done.error()) + "\nstarted again, the check goes on where it was");
        }
        for (auto& finding : found) {
            if (finding) settle(*std::move(finding));
        }
        place_.blobs += static_cast<std::int64_t>(page.size());
        const bool last = page.size() < static_cast<std::size_t>(rows_of_a_page);
        reached(last ? CheckPhase::blobs : CheckPhase::rows, last ? "" : page.back().key);
        if (last) return;
    }
}

void Check::look_for_orphans() {
    std::int64_t listed = 0;
    while (true) {
        const auto from = place_.cursor.empty() ? std::nullopt : std::optional(place_.cursor);
        const blobs::BlobPage page = must(stores_.blobs.list(from, rows_of_a_page));
        std::vector<std::string> old;
        std::map<std::string, std::uint64_t> sizes;
        for (const blobs::BlobEntry& entry : page.entries) {
            if (entry.modified_at + stores_.orphan_age > stores_.clock.now()) continue;
            old.push_back(entry.key.text());
            sizes.emplace(old.back(), entry.size);
        }
        for (const std::string& key : must(stores_.inventory.orphans(old))) {
            Finding finding{.kind = FindingKind::orphan, .key = key, .account_id = account_of(key)};
            finding.where = stores_.blobs.place_of(must(blobs::BlobKey::parse(key)));
            finding.detail = std::to_string(sizes.at(key)) + " bytes that no row names";
            settle(std::move(finding));
        }
        listed += static_cast<std::int64_t>(page.entries.size());
        report_.show(place_, listed);
        reached(page.next ? CheckPhase::blobs : CheckPhase::done, page.next.value_or(""));
        if (!page.next) return;
    }
}

void Check::settle(Finding finding) {
    if (journal_.knows(finding)) return;
    if (finding.account_id && finding.account.empty()) finding.account = slug_of(*finding.account_id);
    if (journal_.run().repair && can_be_moved(finding)) move(finding);
    journal_.add(finding);
    report_.found(finding);
}

void Check::move(Finding& finding) {
    boost::json::object note = to_json(finding);
    note["found_at"] = to_iso8601(stores_.clock.now());
    note.erase("what_to_do");
    const std::string text = boost::json::serialize(note) + "\n";
    const std::string& run = journal_.run().id;
    if (finding.kind == FindingKind::stray) {
        finding.moved_to = must(stores_.blobs.set_stray_aside(finding.where, run, text));
    } else {
        const std::vector<std::string> keys{finding.key};
        const bool orphan = finding.kind == FindingKind::orphan;
        const auto moved =
            must(stores_.blobs.set_aside(must(blobs::BlobKey::parse(finding.key)), run, text, [&]() -> Result<bool> {
                if (!orphan) return true;
                // From here on an upload of the same bytes writes them again.
                const auto begun = stores_.inventory.begin_removal(keys);
                if (!begun) return begun.error();
                return !begun->empty();
            }));
        if (orphan && moved) must(stores_.store.maintenance().finish_blob_deletion(keys));
        if (!moved) return;  // somebody names it by now
        finding.moved_to = *moved;
    }
    must(stores_.store.audit().record(
        {"blob.quarantine", finding.account_id, finding.key.empty() ? finding.where : finding.key,
         metadata::act_details({{"finding", to_string(finding.kind)}, {"moved_to", finding.moved_to}})}));
}

void Check::reached(CheckPhase phase, std::string cursor) {
    place_.phase = phase;
    place_.cursor = std::move(cursor);
    place_.bytes = bytes_;
    journal_.reached(place_);
    report_.show(place_);
}

std::string Check::slug_of(const Uuid& account_id) {
    const auto known = slugs_.find(account_id);
    if (known != slugs_.end()) return known->second;
    const auto account = must(stores_.store.accounts().find(account_id));
    return slugs_.emplace(account_id, account ? account->slug : account_id.to_string()).first->second;
}

}  // namespace tessera::app
