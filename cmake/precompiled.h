// What nearly every unit includes, read once instead of 190 times (AGON_PRECOMPILE). Sources still include what they
// use: `make check` builds without this. (No <filesystem>: it brings std::quoted along, which a call of our quoted()
// with a string would find too.)
//
// fmt reads each format string while compiling, to find mistakes in it. Once is enough, and `make check` does it.
#define FMT_CONSTEVAL
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
