#include "agon/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace agon {

double memory_limit() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  }
  double container = 0;  // the file of cgroup v2 holds a number, or "max"
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> container && container > 0) bytes = std::min(bytes, container);
  return bytes;
}

}  // namespace agon
