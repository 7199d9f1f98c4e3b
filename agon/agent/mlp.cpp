#include "agon/agent/mlp.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>

#include "agon/base/error.h"

namespace agon {

template <class Real>
void BasicMlp<Real>::lay_out() {
  widths_ = {shape_.inputs};
  widths_.insert(widths_.end(), shape_.hidden.begin(), shape_.hidden.end());
  widths_.push_back(shape_.outputs);
  long size = 0;
  offset_.clear();
  for (int l = 0; l < layers(); ++l) {
    offset_.push_back(size);
    size += static_cast<long>(widths_[l] + 1) * widths_[l + 1];
  }
  weights_ = NetVector<Real>::Zero(size);
}

template <class Real>
BasicMlp<Real>::BasicMlp(const MlpShape& shape, Rng rng) : shape_(shape) {
  lay_out();
  for (int l = 0; l < layers(); ++l) {
    const bool last = l + 1 == layers();
    if (last && shape_.zero_last) break;
    const double spread = std::sqrt((last ? 1.0 : 2.0) / widths_[l]);
    auto w = matrix(l);
    for (long k = 0; k < w.size(); ++k) w.data()[k] = static_cast<Real>(spread * rng.normal());
  }
}

template <class Real>
Eigen::Map<const NetMatrix<Real>> BasicMlp<Real>::matrix(int layer) const {
  return {weights_.data() + offset_[layer], widths_[layer + 1], widths_[layer]};
}

template <class Real>
Eigen::Map<NetMatrix<Real>> BasicMlp<Real>::matrix(int layer) {
  return {weights_.data() + offset_[layer], widths_[layer + 1], widths_[layer]};
}

template <class Real>
Eigen::Map<const NetVector<Real>> BasicMlp<Real>::bias(int layer) const {
  return {weights_.data() + offset_[layer] + static_cast<long>(widths_[layer]) * widths_[layer + 1],
          widths_[layer + 1]};
}

template <class Real>
Eigen::Map<NetVector<Real>> BasicMlp<Real>::bias(int layer) {
  return {weights_.data() + offset_[layer] + static_cast<long>(widths_[layer]) * widths_[layer + 1],
          widths_[layer + 1]};
}

template <class Real>
const NetMatrix<Real>& BasicMlp<Real>::forward(const Eigen::Ref<const NetMatrix<Real>>& inputs,
                                               MlpWork<Real>& work) const {
  assert(inputs.rows() == shape_.inputs);
  work.activation.resize(layers() + 1);
  work.activation[0] = inputs;
  const Real leak = static_cast<Real>(shape_.leak);
  for (int l = 0; l < layers(); ++l) {
    NetMatrix<Real>& z = work.activation[l + 1];
    z.noalias() = matrix(l) * work.activation[l];
    z.colwise() += bias(l);
    if (l + 1 == layers()) break;
    z = z.cwiseMax(leak * z);
  }
  return work.activation.back();
}

template <class Real>
const NetVector<Real>& BasicMlp<Real>::finish_one(MlpWork<Real>& work) const {
  const Real leak = static_cast<Real>(shape_.leak);
  for (int l = 1; l < layers(); ++l) {
    work.single[l - 1] = work.single[l - 1].cwiseMax(leak * work.single[l - 1]);
    work.single[l] = bias(l);
    work.single[l].noalias() += matrix(l) * work.single[l - 1];
  }
  return work.single.back();
}

template <class Real>
const NetVector<Real>& BasicMlp<Real>::forward_from_first(const NetVector<Real>& first, MlpWork<Real>& work) const {
  work.single.resize(layers());
  work.single[0] = first;
  return finish_one(work);
}

template <class Real>
const NetVector<Real>& BasicMlp<Real>::forward_one(const Eigen::Ref<const NetVector<Real>>& input,
                                                   MlpWork<Real>& work) const {
  work.single.resize(layers());
  work.single[0] = bias(0);
  const auto w = matrix(0);
  for (int k = 0; k < shape_.inputs; ++k) {
    if (input[k] != 0) work.single[0] += input[k] * w.col(k);
  }
  return finish_one(work);
}

template <class Real>
void BasicMlp<Real>::backward(MlpWork<Real>& work, const NetMatrix<Real>& by_output, NetVector<Real>& gradient) const {
  assert(gradient.size() == weights_.size());
  work.back = by_output;
  const Real leak = static_cast<Real>(shape_.leak);
  for (int l = layers() - 1; l >= 0; --l) {
    Eigen::Map<NetMatrix<Real>> by_matrix(gradient.data() + offset_[l], widths_[l + 1], widths_[l]);
    Eigen::Map<NetVector<Real>> by_bias(gradient.data() + offset_[l] + by_matrix.size(), widths_[l + 1]);
    by_matrix.noalias() += work.back * work.activation[l].transpose();
    by_bias += work.back.rowwise().sum();
    if (l == 0) break;
    work.back_next.noalias() = matrix(l).transpose() * work.back;
    // The slope of the unit, told from what it gave: max(z, leak z) is above zero exactly where z is.
    work.back_next = (work.activation[l].array() > 0).select(work.back_next, leak * work.back_next);
    std::swap(work.back, work.back_next);
  }
}

template <class Real>
void Adam<Real>::step(NetVector<Real>& weights, const NetVector<Real>& gradient) {
  ++steps_;
  const Real b1 = static_cast<Real>(options_.beta1), b2 = static_cast<Real>(options_.beta2);
  mean_ += (1 - b1) * (gradient - mean_);
  square_.array() += (1 - b2) * (gradient.array().square() - square_.array());
  const double steps = static_cast<double>(steps_);
  const Real rate = static_cast<Real>(options_.learning_rate / (1 - std::pow(options_.beta1, steps)));
  const Real root = static_cast<Real>(1 / std::sqrt(1 - std::pow(options_.beta2, steps)));
  const Real epsilon = static_cast<Real>(options_.epsilon);
  weights.array() -= rate * mean_.array() / (root * square_.array().sqrt() + epsilon);
}

template class BasicMlp<float>;
template class BasicMlp<double>;
template class Adam<float>;
template class Adam<double>;

std::string to_text(const Mlp& net) {
  const MlpShape& s = net.shape();
  std::string text =
      fmt::format("mlp 1\ninputs {} hidden{} outputs {} leak {}\n", s.inputs,
                  s.hidden.empty() ? "" : fmt::format(" {}", fmt::join(s.hidden, " ")), s.outputs, s.leak);
  for (float w : net.weights()) fmt::format_to(std::back_inserter(text), "{}\n", w);
  return text;
}

namespace {

// The words of a text, one after the other.
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
  // Every weight is a word: a shape with more weights than the text has room for asks for memory in vain.
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
