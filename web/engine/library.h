// web/engine/library.h
//
// What agon uses of C++20's library and Emscripten's library (libc++ 13 in Debian 12) does not have. Every source of
// the browser's engine is compiled with it (cmake/web.cmake), so that no source of agon has to know. Each name does
// what the standard says of it, for the arguments agon gives it.
#pragma once

#include <algorithm>
#include <charconv>
#include <compare>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class Array>
auto make_unique_for_overwrite(size_t count) {
  return unique_ptr<Array>(new remove_extent_t<Array>[count]);
}

from_chars_result from_chars(const char* first, const char* last, double& value);
from_chars_result from_chars(const char* first, const char* last, float& value);

template <class C, class T, class A>
strong_ordering operator<=>(const basic_string<C, T, A>& a, const basic_string<C, T, A>& b) noexcept {
  return a.compare(b) <=> 0;
}

template <class T, class A>
auto operator<=>(const vector<T, A>& a, const vector<T, A>& b) -> decltype(a[0] <=> b[0]) {
  for (size_t k = 0; k < a.size() && k < b.size(); ++k) {
    if (const auto order = a[k] <=> b[k]; order != 0) return order;
  }
  return a.size() <=> b.size();
}

class jthread {  // without stop tokens
 public:
  template <class Work, class... Arguments>
  explicit jthread(Work&& work, Arguments&&... arguments)
      : thread_(forward<Work>(work), forward<Arguments>(arguments)...) {}
  jthread(jthread&&) noexcept = default;
  ~jthread() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  thread thread_;
};

namespace ranges {

// A test of items, or an order on them, that looks at their projections.
template <class Test, class Projection>
auto projected(Test& test, Projection& projection) {
  return [&](auto&& item) -> bool { return invoke(test, invoke(projection, item)); };
}
template <class Order, class Projection>
auto projected_order(Order& order, Projection& projection) {
  return [&](auto&& a, auto&& b) -> bool { return invoke(order, invoke(projection, a), invoke(projection, b)); };
}
template <class Value, class Projection>
auto equal_to_value(const Value& value, Projection& projection) {
  return [&](auto&& item) -> bool { return invoke(projection, item) == value; };
}

template <class R, class Test, class P = identity>
bool any_of(R&& range, Test test, P p = {}) {
  return std::any_of(std::begin(range), std::end(range), projected(test, p));
}
template <class R, class Test, class P = identity>
bool all_of(R&& range, Test test, P p = {}) {
  return std::all_of(std::begin(range), std::end(range), projected(test, p));
}
template <class R, class Test, class P = identity>
bool none_of(R&& range, Test test, P p = {}) {
  return std::none_of(std::begin(range), std::end(range), projected(test, p));
}
template <class R, class Test, class P = identity>
auto count_if(R&& range, Test test, P p = {}) {
  return std::count_if(std::begin(range), std::end(range), projected(test, p));
}
template <class R, class Value, class P = identity>
auto count(R&& range, const Value& value, P p = {}) {
  return std::count_if(std::begin(range), std::end(range), equal_to_value(value, p));
}
template <class R, class Test, class P = identity>
auto find_if(R&& range, Test test, P p = {}) {
  return std::find_if(std::begin(range), std::end(range), projected(test, p));
}
template <class R, class Value, class P = identity>
auto find(R&& range, const Value& value, P p = {}) {
  return std::find_if(std::begin(range), std::end(range), equal_to_value(value, p));
}
template <class R, class Test = equal_to>
auto adjacent_find(R&& range, Test test = {}) {
  return std::adjacent_find(std::begin(range), std::end(range), test);
}
template <class A, class B, class Same = equal_to>
bool equal(A&& a, B&& b, Same same = {}) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), same);
}
template <class R, class Value>
void fill(R&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class R, class Value>
void replace(R&& range, const Value& old, const Value& with) {
  std::replace(std::begin(range), std::end(range), old, with);
}
template <class R, class Out>
void copy(R&& range, Out out) {
  std::copy(std::begin(range), std::end(range), out);
}
template <class R, class Out, class Test>
void copy_if(R&& range, Out out, Test test) {
  std::copy_if(std::begin(range), std::end(range), out, test);
}
template <class R, class Order = less, class P = identity>
void sort(R&& range, Order order = {}, P p = {}) {
  std::sort(std::begin(range), std::end(range), projected_order(order, p));
}
template <class R, class Order = less, class P = identity>
void stable_sort(R&& range, Order order = {}, P p = {}) {
  std::stable_sort(std::begin(range), std::end(range), projected_order(order, p));
}
template <class R, class Middle, class Order = less, class P = identity>
void partial_sort(R&& range, Middle middle, Order order = {}, P p = {}) {
  std::partial_sort(std::begin(range), middle, std::end(range), projected_order(order, p));
}
template <class R, class Order = less, class P = identity>
auto min_element(R&& range, Order order = {}, P p = {}) {
  return std::min_element(std::begin(range), std::end(range), projected_order(order, p));
}
template <class R, class Order = less, class P = identity>
auto max_element(R&& range, Order order = {}, P p = {}) {
  return std::max_element(std::begin(range), std::end(range), projected_order(order, p));
}
template <class R, class Value, class Order = less, class P = identity>
auto lower_bound(R&& range, const Value& value, Order order = {}, P p = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value, [&](auto&& item, const Value& wanted) -> bool {
    return invoke(order, invoke(p, item), wanted);
  });
}
template <class R, class Value>
bool binary_search(R&& range, const Value& value) {
  return std::binary_search(std::begin(range), std::end(range), value);
}

}  // namespace ranges
}  // namespace std
#endif
