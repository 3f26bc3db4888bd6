// A seam for tests. The release binary links no_hooks.cpp, which does nothing; a test program that defines these
// functions itself gets its own, and with them an engine that can be told to misbehave.
#pragma once

namespace tessera::engine::hooks {

enum class Moment { probe, run };

// In the sandboxed child, each time that it is handed an image and before it reads it. What it throws fails the task.
void on_image(int file, Moment moment);

}  // namespace tessera::engine::hooks
