// agon/base/memory.h
//
// How much memory this process may use: that of the machine, or less if the process or its container has a limit. Ask
// before a large piece of work, because a process that is killed half-way explains nothing.
#pragma once

namespace agon {

double memory_limit();  // bytes

}  // namespace agon
