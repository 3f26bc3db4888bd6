// The groups of the table of keys that keys.cpp puts together.
#pragma once

#include <vector>

#include "app/config/setting.hpp"

namespace tessera::app {

void add_limits(std::vector<Setting>& keys);
void add_storage_limits(std::vector<Setting>& keys);
void add_worker(std::vector<Setting>& keys);
void add_engine(std::vector<Setting>& keys);
void add_pictures(std::vector<Setting>& keys);
void add_uploads(std::vector<Setting>& keys);
void add_retention(std::vector<Setting>& keys);
void add_tiles(std::vector<Setting>& keys);
void add_traces(std::vector<Setting>& keys);
void add_webhooks(std::vector<Setting>& keys);
void add_waiting(std::vector<Setting>& keys);
void add_console(std::vector<Setting>& keys);

}  // namespace tessera::app
