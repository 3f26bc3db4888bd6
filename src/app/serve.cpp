#include "app/serve.hpp"

#include <iostream>
#include <memory>

#include "app/command_failed.hpp"
#include "app/data_folder.hpp"
#include "app/demo_account.hpp"
#include "app/log_writer.hpp"
#include "app/shutdown_signals.hpp"
#include "app/signing_secrets.hpp"
#include "app/stores.hpp"
#include "core/clock.hpp"
#include "core/log.hpp"
#include "metadata/store.hpp"
#include "service/in_process_rate_limiter.hpp"
#include "service/key_authenticator.hpp"
#include "service/ledger_account_contexts.hpp"
#include "service/readiness.hpp"
#include "service/stored_plan_catalogue.hpp"

namespace tessera::app {

int serve(const LoadedConfig& loaded, const ServeOptions& options) {
    const Config& config = loaded.config;
    DataFolder folder = must(DataFolder::open(config.data.dir));
    must(folder.lock_for_serving());
    (void)options;
    return 0;
}

}  // namespace tessera::app
