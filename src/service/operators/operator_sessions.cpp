#include "service/operators/operator_sessions.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "core/hash.hpp"
#include "core/log.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "metadata/acting_as.hpp"
#include "metadata/operators.hpp"
#include "service/operators/operator_name.hpp"
#include "service/operators/password_hash.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t token_length = 43;  // of 62 characters: 256 bits
constexpr std::size_t longest_user_agent = 200;

FairTerms terms_of(const ConsoleConfig& config) {
    const auto places = static_cast<std::size_t>(std::max(1, config.password_checks_at_once));
    return {.places = places,
            .share = std::max<std::size_t>(1, places - 1),
            .most_waiting_each = 4,
            .most_waiting = 64,
            .longest_wait = 15s};
}

// A name is counted whether it exists or not: to be counted says nothing.
RateSubject subject_of_name(std::string_view name) {
    const Digest digest = sha256("operator " + std::string(name));
    Uuid::Bytes bytes{};
    std::copy_n(digest.begin(), bytes.size(), bytes.begin());
    return RateSubject(Uuid(bytes));
}

Error rate_limited(const RateDecision& decision, RateClass rate_class, const std::string& rule) {
    return Error{ErrorCode::rate_limited, "rate limit exceeded", {}, static_cast<int>(decision.reset_after.count())}
        .with_hint(rule + "; wait " + std::to_string(decision.reset_after.count()) + " s")
        .with_limit({.name = "rate_limits." + std::string(to_string(rate_class)),
                     .unit = "requests",
                     .allowed = decision.limit,
                     .left = 0});
}

Error too_busy() {
    return Error{ErrorCode::overloaded, "too many people sign in at this moment", {}, 1};
}

// One line of printable text, not longer than is of use.
std::string plain(std::string_view text, std::size_t longest) {
    std::string out(text.substr(0, longest));
    std::ranges::replace_if(
        out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e; }, '?');
    return out;
}

// A password that can't be compared for want of memory is nobody's fault.
template <typename Answer>
Result<Answer> guarded(const std::function<Result<Answer>()>& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return too_busy();
    } catch (const std::exception& thrown) {
        return internal_error(thrown.what());
    }
}

}  // namespace

OperatorSessionService::OperatorSessionService(metadata::Operators& operators, RateLimiter& limiter,
                                               const ConsoleConfig& config)
    : operators_(operators), limiter_(limiter), config_(config), turns_("passwords", terms_of(config)) {}

OperatorSessionService::~OperatorSessionService() {
    stop();
}

void OperatorSessionService::stop() {
    turns_.stop();
}

// Counted before a password is looked at, so that many at once are no way around it. A name that is tried often leaves
// one try in a window to every address: whoever guesses from many has no more than that, and nobody can lock its owner
// out.
std::optional<Error> OperatorSessionService::too_often(const RateSubject& client, std::string_view name) {
    const RateDecision by_address = limiter_.take(RateClass::operator_sign_ins, client);
    if (!by_address.allowed) {
        return rate_limited(by_address, RateClass::operator_sign_ins,
                            "an address may try to sign in " + std::to_string(by_address.limit) + " times within " +
                                std::to_string(by_address.window.count()) + " s");
    }
    const RateDecision by_name = limiter_.take(RateClass::operator_names, subject_of_name(name));
    const bool is_first = !by_address.limited_class || by_address.remaining == by_address.limit - 1;
    if (by_name.allowed || is_first) return std::nullopt;
    return rate_limited(by_name, RateClass::operator_names,
                        "this name was tried often of late: until that is over, each address has one try within " +
                            std::to_string(by_name.window.count()) + " s");
}

void OperatorSessionService::in_turn(const RateSubject& client, std::function<void()> work,
                                     const std::function<void(Error)>& refuse) {
    using Turn = FairExecutor::Turn;
    const auto refused =
        turns_.post(Uuid(client.bytes()), [work = std::move(work), refuse](Turn turn) -> std::chrono::nanoseconds {
            if (turn == Turn::too_late || turn == Turn::never) {
                refuse(too_busy());
            } else {
                work();
            }
            return 0ns;
        });
    if (refused) refuse(too_busy());
}

void OperatorSessionService::sign_in(SignIn request, SignInAnswer answer) {
    request.name = lower_case(trimmed(request.name));
    if (auto refused = too_often(request.client, request.name)) return answer(*std::move(refused));
    const RateSubject client = request.client;
    in_turn(
        client,
        [this, request = std::move(request), answer] {
            answer(guarded<std::optional<SignedIn>>([&] { return sign_in_now(request); }));
        },
        [answer](Error error) { answer(std::move(error)); });
}

Result<std::optional<SignedIn>> OperatorSessionService::sign_in_now(const SignIn& request) {
    std::optional<metadata::Operator> found;
    if (check_operator_name(request.name)) {
        auto known = operators_.find(request.name);
        if (!known) return std::move(known).error();
        found = std::move(*known);
    }
    const bool good = password_matches(request.password, found ? found->password_hash : nobodys_hash());
    if (!good || !found) {
        log::info("operator_refused", {{"client", request.address}, {"known_name", found.has_value()}});
        return std::optional<SignedIn>();
    }
    SignedIn signed_in;
    signed_in.token = random_token(token_length);
    const metadata::ActingAs acting("operator " + found->name);
    auto opened = operators_.open_session({.operator_id = found->id,
                                           .password_hash = found->password_hash,
                                           .token_hash = sha256(signed_in.token),
                                           .lifetime = config_.session_ttl,
                                           .address = plain(request.address, 64),
                                           .user_agent = plain(request.user_agent, longest_user_agent)});
    if (!opened) return std::move(opened).error();
    if (!*opened) return std::optional<SignedIn>();
    signed_in.session = view_of(**opened);
    return std::optional(std::move(signed_in));
}

void OperatorSessionService::change_password(PasswordChange request, ChangeAnswer answer) {
    if (auto checked = check_password("new_password", request.new_password); !checked)
        return answer(std::move(checked).error());
    if (auto refused = too_often(request.client, request.session->operator_name)) return answer(*std::move(refused));
    const RateSubject client = request.client;
    in_turn(
        client,
        [this, request = std::move(request), answer] {
            answer(guarded<bool>([&] { return change_password_now(request); }));
        },
        [answer](Error error) { answer(std::move(error)); });
}

Result<bool> OperatorSessionService::change_password_now(const PasswordChange& request) {
    const std::string& name = request.session->operator_name;
    const auto found = operators_.find(name);
    if (!found) return found.error();
    if (!*found || !password_matches(request.current_password, (*found)->password_hash)) return false;
    const metadata::ActingAs acting("operator " + name);
    const auto changed = operators_.change_password(name, hash_password(request.new_password), request.session->id);
    if (!changed) return changed.error();
    return changed->has_value();
}

OperatorSession OperatorSessionService::view_of(const metadata::OperatorSession& session) const {
    return {.id = session.id,
            .operator_id = session.operator_id,
            .operator_name = session.operator_name,
            .created_at = session.created_at,
            .last_used_at = session.last_used_at,
            .expires_at = session.expires_at,
            .idle_expires_at = std::min(session.expires_at, session.last_used_at + config_.session_idle),
            .address = session.address,
            .user_agent = session.user_agent};
}

Result<OperatorSessionPtr> OperatorSessionService::find(std::string_view token) {
    if (token.size() != token_length) return OperatorSessionPtr();
    const auto found = operators_.use_session(sha256(token), config_.session_idle);
    if (!found) return found.error();
    if (!*found) return OperatorSessionPtr();
    return OperatorSessionPtr(std::make_shared<const OperatorSession>(view_of(**found)));
}

Result<std::vector<OperatorSession>> OperatorSessionService::list(const OperatorSession& of) {
    const auto found = operators_.sessions(of.operator_id, config_.session_idle);
    if (!found) return found.error();
    std::vector<OperatorSession> sessions;
    for (const metadata::OperatorSession& session : *found) sessions.push_back(view_of(session));
    return sessions;
}

Result<bool> OperatorSessionService::end(const OperatorSession& who, const Uuid& id) {
    return operators_.end_session(who.operator_id, id);
}

Result<void> OperatorSessionService::end_all(const OperatorSession& who) {
    const auto ended = operators_.end_sessions(who.operator_id);
    if (!ended) return ended.error();
    return {};
}

}  // namespace tessera::service
