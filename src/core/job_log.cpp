#include "core/job_log.hpp"

namespace tessera {

void log_job(log::Level level, std::string_view event, const JobNames& names,
             std::initializer_list<log::Field> fields) {
    if (!log::enabled(level)) return;
    std::string line;
    log::begin_line(line, level, event);
    if (!names.request_id.empty()) log::Field("request_id", names.request_id).append_to(line);
    if (!names.trace_id.empty()) log::Field("trace_id", names.trace_id).append_to(line);
    log::Field("account", names.account_id.to_string()).append_to(line);
    log::Field("job", names.job_id.to_string()).append_to(line);
    for (const log::Field& field : fields) field.append_to(line);
    line += '}';
    log::write_line(level, line);
}

}  // namespace tessera
