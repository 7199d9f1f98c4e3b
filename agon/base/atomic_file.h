// agon/base/atomic_file.h
//
// Writes a whole file so that nobody ever sees half of it: into a temporary file beside it, to the disk, then under its
// name in one step (fsync and rename of POSIX).
//
//   make_writable_folder("result");                        // before the work, so that a mistake costs nothing
//   write_file_atomically("result/result.json", text);     // after it
//
// What may be relied on:
//   - whatever happens (full disk, no permission, kill -9, power cut), the name holds the old bytes or the new ones,
//     whole; when this returns the new ones are on the disk;
//   - a failure throws InputError that names the file, says why, what to do, and what became of the old file; the
//     temporary file is removed. A process killed half-way may leave one, called .agon-*.tmp;
//   - a file that exists keeps its permissions, a symbolic link stays one (its target is replaced), and what is no
//     regular file (a device, a pipe) is written to directly.
#pragma once

#include <string>
#include <string_view>

namespace agon {

void write_file_atomically(const std::string& path, std::string_view bytes);

// Makes the folder and those above it where they are missing; throws InputError unless files can be made in it.
void make_writable_folder(const std::string& path);

// Removes the temporary files that killed writers left in a folder; for folders that one process at a time writes to.
void remove_torn_files(const std::string& folder);

}  // namespace agon
