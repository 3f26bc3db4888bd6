#include "service/access/erase_account.hpp"

#include <string>

#include "blobs/blob_store.hpp"
#include "metadata/erasure.hpp"
#include "metadata/store.hpp"

namespace tessera::service {
namespace {

constexpr std::size_t page_size = 500;

// All that lies under the account's own names, also what a lost attempt left there and no row ever named.
Result<void> remove_blobs(blobs::BlobStore& blobs, const std::string& prefix, ErasureReport& report,
                          const std::function<void(const ErasureReport&)>& progress) {
    std::optional<std::string> from;
    do {
        auto page = blobs.list(prefix, from, page_size);
        if (!page) return std::move(page).error();
        for (const blobs::BlobEntry& entry : page->entries) {
            if (auto removed = blobs.remove(entry.key); !removed) return removed;
            ++report.blobs;
            report.bytes += static_cast<std::int64_t>(entry.size);
        }
        if (progress) progress(report);
        from = page->next;
    } while (from);
    return {};
}

}  // namespace

Result<ErasureReport> erase_account(metadata::Store& store, blobs::BlobStore& blobs, const Uuid& account_id,
                                    const std::function<void(const ErasureReport&)>& progress) {
    const auto begun = store.erasure().begin(account_id);
    if (!begun) return begun.error();
    ErasureReport report;
    while (true) {
        const auto removed = store.erasure().remove_some(account_id);
        if (!removed) return removed.error();
        if (*removed == 0) break;
        report.rows += *removed;
        if (progress) progress(report);
    }
    for (const char* area : {"assets/", "artifacts/", "tilesets/"}) {
        auto removed = remove_blobs(blobs, area + account_id.to_string() + "/", report, progress);
        if (!removed) return std::move(removed).error();
    }
    const auto finished = store.erasure().finish(account_id);
    if (!finished) return finished.error();
    return report;
}

}  // namespace tessera::service
