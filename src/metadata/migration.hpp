// One numbered step of a database's schema, from a file `NNNN_what.sql` beside the backend.
#pragma once

#include <string_view>

namespace tessera::metadata {

struct Migration {
    std::string_view name;  // 0001_accounts; the steps are numbered from 1 without gaps
    std::string_view text;
};

}  // namespace tessera::metadata
