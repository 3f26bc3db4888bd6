// docs/errors.md shows the tables of errors as they are. UPDATE_DOCS=1 writes them there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/job.hpp"
#include "http/message/problems.hpp"

namespace tessera::http {
namespace {

std::string refusals() {
    std::vector<Problem> sorted(problems().begin(), problems().end());
    std::ranges::stable_sort(sorted, {}, &Problem::status);
    std::string out = "| status | `code` | meaning | what to do |\n|---|---|---|---|\n";
    for (const auto& [code, status] : sorted) {
        const ErrorKind& kind = code.kind();
        out.append("| ").append(std::to_string(status)).append(" | `").append(kind.name);
        out.append("` | ").append(kind.meaning).append(" | ").append(kind.remedy).append(" |\n");
    }
    return out;
}

std::string failures() {
    std::string out =
        "| `error_code` | meaning | what to do | tried again | credits given back |\n|---|---|---|---|---|\n";
    for (const JobErrorKind& kind : job_error_kinds()) {
        out.append("| `").append(kind.name).append("` | ").append(kind.meaning).append(" | ").append(kind.remedy);
        out.append(kind.may_pass ? " | yes" : " | no").append(kind.service_fault ? " | yes |\n" : " | no |\n");
    }
    return out;
}

void check_table(std::string& page, const std::string& marker, const std::string& table) {
    const auto place = page.find("<!-- " + marker + ":");
    ASSERT_NE(place, std::string::npos) << "docs/errors.md has no place for " << marker;
    const auto start = page.find('\n', place) + 1;
    const auto end = page.find("<!-- end -->", start);
    ASSERT_NE(end, std::string::npos);
    if (std::getenv("UPDATE_DOCS") != nullptr) page.replace(start, end - start, table);
    EXPECT_EQ(page.substr(start, page.find("<!-- end -->", start) - start), table)
        << "run unit_http with UPDATE_DOCS=1";
}

TEST(ErrorsPage, ShowsEveryCode) {
    const std::string path = TESSERA_SOURCE_DIR "/docs/errors.md";
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::string page = text.str();
    check_table(page, "codes of refusals", refusals());
    check_table(page, "codes of failed jobs", failures());
    if (std::getenv("UPDATE_DOCS") != nullptr) std::ofstream(path) << page;
}

TEST(Problems, HaveEachCodeOnce) {
    for (std::size_t i = 0; i < problems().size(); ++i) EXPECT_EQ(place_of(problems()[i].code), i);
}

TEST(Problems, SayWhatItMeansAndWhatToDo) {
    for (const Problem& problem : problems()) {
        const ErrorKind& kind = problem.code.kind();
        for (const std::string_view text : {kind.meaning, kind.remedy}) {
            EXPECT_GE(text.size(), 10U) << kind.name;
            EXPECT_FALSE(text.ends_with('.')) << kind.name << ": a hint may go on after it";
        }
    }
}

}  // namespace
}  // namespace tessera::http
