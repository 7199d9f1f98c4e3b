// agon/base/atomic_file.h
//
// Writes a file so that nobody ever sees half of it: the bytes go to a temporary file beside it, then to the disk, and
// the file is renamed in one step (fsync and rename of POSIX).
//
//   make_writable_folder("result");                        // before the work, so that a mistake costs nothing
//   write_file_atomically("result/result.json", text);     // after it
//
// What may be relied on:
//   - whatever happens (full disk, no permission, kill -9, power cut), the file holds all of the old bytes or all of
//     the new ones; when this returns, the new ones are on the disk;
//   - a failure throws InputError, which names the file, the reason, what to do, and what became of the old file; the
//     temporary file is removed. A process killed half-way may leave one, called .agon-*.tmp;
//   - an existing file keeps its permissions, a symbolic link stays one (its target is replaced), and anything that is
//     not a regular file (a device, a pipe) is written to directly.
#pragma once

#include <string>
#include <string_view>

namespace agon {

void write_file_atomically(const std::string& path, std::string_view bytes);

// Creates the folder, and those above it, if they are missing; throws InputError unless files can be created in it.
void make_writable_folder(const std::string& path);

// Removes the temporary files that killed writers left behind; for folders that only one process at a time writes to.
void remove_torn_files(const std::string& folder);

}  // namespace agon
