#include "agon/nn/mlp.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/nn/mlp.inc"

namespace agon {

template class BasicMlp<float>;
template class Adam<float>;

std::string to_text(const Mlp& net) {
  const MlpShape& s = net.shape();
  std::string text = fmt::format("mlp 1\ninputs {} hidden", s.inputs);
  for (int width : s.hidden) text += fmt::format(" {}", width);
  text += fmt::format(" outputs {} leak {}\n", s.outputs, s.leak);
  for (float w : net.weights()) text += fmt::format("{}\n", w);
  return text;
}

namespace {

// Reads the words of a text one by one.
class Words {
 public:
  Words(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  std::string_view peek() const {
    const size_t begin = text_.find_first_not_of(" \t\r\n", at_);
    if (begin == std::string_view::npos) return {};
    const size_t end = text_.find_first_of(" \t\r\n", begin);
    return text_.substr(begin, end == std::string_view::npos ? end : end - begin);
  }
  std::string_view next() {
    const std::string_view word = peek();
    at_ = word.empty() ? text_.size() : static_cast<size_t>(word.data() - text_.data()) + word.size();
    return word;
  }
  void expect(std::string_view wanted) {
    const std::string_view word = next();
    if (word != wanted) fail(word, std::string(wanted));
  }
  template <class Number>
  Number number(const char* wanted) {
    const std::string_view word = next();
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) fail(word, wanted);
    return value;
  }
  [[noreturn]] void fail(std::string_view found, const std::string& wanted) const {
    throw InputError(place_, fmt::format("not a network: found {}, expected {}",
                                         found.empty() ? "the end" : quoted(std::string(found)), wanted));
  }

 private:
  std::string_view text_;
  const std::string& place_;
  size_t at_ = 0;
};

constexpr int kWidest = 1 << 20;

int width(Words& words) {
  const int w = words.number<int>("a width");
  if (w < 1 || w > kWidest) words.fail(std::to_string(w), "a width of at least 1");
  return w;
}

}  // namespace

Mlp parse_mlp(std::string_view text, const std::string& place) {
  Words words(text, place);
  words.expect("mlp");
  words.expect("1");
  MlpShape shape;
  words.expect("inputs");
  shape.inputs = width(words);
  words.expect("hidden");
  while (words.peek() != "outputs") shape.hidden.push_back(width(words));
  words.expect("outputs");
  shape.outputs = width(words);
  words.expect("leak");
  shape.leak = words.number<double>("the slope below zero");
  if (!(shape.leak >= 0 && shape.leak < 1)) words.fail(fmt::format("{}", shape.leak), "a slope in [0, 1)");
  // Every weight is a word, so a shape with more weights than the text has room for is refused before memory is taken.
  double weights = 0;
  int before = shape.inputs;
  for (int width_here : shape.hidden) {
    weights += (before + 1.0) * width_here;
    before = width_here;
  }
  weights += (before + 1.0) * shape.outputs;
  if (weights * 2 > static_cast<double>(text.size())) words.fail("", "a weight for each connection of this shape");
  Mlp net(shape, Rng(0));
  for (float& w : net.weights()) {
    w = words.number<float>("a weight");
    if (!std::isfinite(w)) words.fail("a weight that is not finite", "a number");
  }
  if (!words.peek().empty()) words.fail(words.peek(), "the end");
  return net;
}

}  // namespace agon
