#include <cstdlib>

#include "cli/app.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Buffers of a few megabytes come from the heap and go back to it, not to the system: on small tables a third of the
  // page faults.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
  return agon::cli::run_command_line(argc, argv);
}
