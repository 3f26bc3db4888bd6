#include "engine/host/upload_refused.hpp"

namespace tessera::engine {

Error upload_refused(const FairExecutor::Refused& refused) {
    const auto seconds = static_cast<int>(refused.try_again_after.count());
    switch (refused.reason) {
        case FairRefusal::account_has_too_many:
            return {ErrorCode::rate_limited, "too many uploads of this account are waiting to be read", {}, seconds};
        case FairRefusal::all_have_too_many:
            return {ErrorCode::overloaded, "too many uploads are waiting to be read, try again later", {}, seconds};
        case FairRefusal::closed: break;
    }
    return {ErrorCode::overloaded, "the service is stopping, try again", {}, seconds};
}

}  // namespace tessera::engine
