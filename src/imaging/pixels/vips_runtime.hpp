// libvips as this project runs it: only the modules it needs, no operation cache, its logs under control.
#pragma once

#include <string>

#include "core/result.hpp"

namespace tessera::imaging {

// Called when GLib gives up, which it does by abort() when memory runs out. May end the process its own way.
using FatalHandler = void (*)(const char* domain);

// Once per process and before any thread uses libvips; a second call does nothing. Starts no thread.
Result<void> start_vips(FatalHandler on_fatal = nullptr);

// How many threads one image pipeline may use.
void set_vips_threads(int threads);

// Leaves only the loaders and savers of our own formats reachable, whatever name or path a caller could come up with.
void block_foreign_formats();

// What libvips complained of last, as one short printable line; and forgets it.
std::string take_vips_error();
// Rows that could not be made, since the last complaint was taken. A cache of libvips' gives such rows to whoever asks
// for them a second time, black and without a word, so that a picture that was made is no proof that all was well.
void note_failed_rows();
[[nodiscard]] bool rows_have_failed();

// Whether such a complaint is about memory. libvips passes on nothing but text.
bool is_out_of_memory(const std::string& complaint);

}  // namespace tessera::imaging
