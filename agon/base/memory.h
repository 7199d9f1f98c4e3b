// agon/base/memory.h
//
// How much memory this process may come to use: that of the machine, or less where the process or its container has a
// limit. Asked before a large piece of work, because being killed half-way explains nothing.
#pragma once

namespace agon {

double memory_limit();  // bytes

}  // namespace agon
