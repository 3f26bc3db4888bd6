#include "app/process_use.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace tessera::app {
namespace {

std::string content_of(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

double count_open_files() {
    std::error_code failed;
    const std::filesystem::directory_iterator files("/proc/self/fd", failed);
    return failed ? 0 : static_cast<double>(std::distance(files, std::filesystem::directory_iterator()) - 1);
}

// When the machine was started, in Unix time.
double boot_time() {
    const std::string text = content_of("/proc/stat");
    const auto at = text.find("btime ");
    return at == std::string::npos ? 0 : std::stod(text.substr(at + 6));
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

std::optional<ProcessUse> use_of_this_process() {
    // See proc(5): the fields after the name in parentheses, the first of them being the third.
    constexpr std::size_t start_time = 22 - 3;
    constexpr std::size_t virtual_size = 23 - 3;
    constexpr std::size_t resident_pages = 24 - 3;
    const std::string text = content_of("/proc/self/stat");
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream rest(text.substr(name_end + 1));
    const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
    if (fields.size() <= resident_pages) return std::nullopt;

    ProcessUse use;
    use.virtual_bytes = std::stod(fields[virtual_size]);
    use.resident_bytes = std::stod(fields[resident_pages]) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    use.started_at = boot_time() + std::stod(fields[start_time]) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    use.open_fds = count_open_files();
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0) use.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) use.max_fds = static_cast<double>(limit.rlim_cur);
    return use;
}

}  // namespace tessera::app
