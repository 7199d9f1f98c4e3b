#include "agon/agent/paper_learner.h"

#include <algorithm>
#include <cmath>

#include "agon/graph/node_set.h"

namespace agon {
namespace {

using Floats = Eigen::Map<Eigen::ArrayXf>;
using ConstFloats = Eigen::Map<const Eigen::ArrayXf>;

// The edge that a move takes away and the one it brings, as inputs; -1: none.
struct Change {
  int out = -1, in = -1;
};
Change change_of(int nodes, EdgeMove move) {
  const int forward = paper_input(nodes, {move.from, move.to}), backward = paper_input(nodes, {move.to, move.from});
  switch (move.kind) {
    case MoveKind::kAdd:
      return {.in = forward};
    case MoveKind::kRemove:
      return {.out = forward};
    case MoveKind::kReverse:
      break;
  }
  return {.out = forward, .in = backward};
}

void relu(std::vector<float>& z) {
  Floats all(z.data(), static_cast<long>(z.size()));
  all = all.cwiseMax(0.0f);
}

}  // namespace

int paper_input(int nodes, Edge edge) { return edge.from * nodes + edge.to; }

int paper_output(int nodes, EdgeMove move) {
  const int pair = move.from * (nodes - 1) + move.to - (move.to > move.from ? 1 : 0);
  return 3 * pair + static_cast<int>(move.kind);
}

void PaperMemory::set_next(const std::vector<EdgeMove>& valid, int nodes) {
  next_additions.assign(static_cast<size_t>(detail::word_count(nodes * (nodes - 1))), 0);
  next_others.clear();
  for (const EdgeMove next : valid) {
    const int output = paper_output(nodes, next);
    if (next.kind == MoveKind::kAdd) {
      next_additions[output / 3 / detail::kWordBits] |= detail::bit(output / 3);
    } else {
      next_others.push_back(output);
    }
  }
}

PaperNetwork::PaperNetwork(const Mlp& net)
    : weights(static_cast<size_t>(net.weights().size())),
      inputs_(net.shape().inputs),
      outputs_(net.shape().outputs),
      hidden_(net.shape().hidden) {
  // As in the Mlp, except that the last matrix is turned: there it goes input by input, here output by output.
  const int last = net.layers() - 1;
  rows_ = net.matrix(last).data() - net.weights().data();
  output_bias_ = net.bias(last).data() - net.weights().data();
  layer_.push_back(net.bias(0).data() - net.weights().data());
  for (int l = 1; l < last; ++l) layer_.push_back(net.matrix(l).data() - net.weights().data());
  std::copy_n(net.weights().data(), weights.size(), weights.begin());
  Eigen::Map<Eigen::MatrixXf>(weights.data() + rows_, hidden_.back(), outputs_) = net.matrix(last).transpose();
}

Mlp PaperNetwork::as_mlp() const {
  Mlp net({.inputs = inputs_, .hidden = hidden_, .outputs = outputs_, .leak = 0}, Rng(0));
  std::copy(weights.begin(), weights.end(), net.weights().data());
  net.matrix(net.layers() - 1) =
      Eigen::Map<const Eigen::MatrixXf>(weights.data() + rows_, hidden_.back(), outputs_).transpose();
  return net;
}

void FirstLayer::rebuild(const PaperNetwork& net, const Dag& dag) {
  const long width = net.hidden()[0];
  value_.assign(net.weights.begin() + net.bias(0), net.weights.begin() + net.bias(0) + width);
  Floats value(value_.data(), width);
  for (const Edge& e : dag.edges()) {
    value += ConstFloats(net.weights.data() + net.column(paper_input(dag.size(), e)), width);
  }
}

void FirstLayer::play(const PaperNetwork& net, int nodes, EdgeMove move) {
  const long width = net.hidden()[0];
  Floats value(value_.data(), width);
  const Change change = change_of(nodes, move);
  if (change.out >= 0) value -= ConstFloats(net.weights.data() + net.column(change.out), width);
  if (change.in >= 0) value += ConstFloats(net.weights.data() + net.column(change.in), width);
}

PaperLearner::PaperLearner(int nodes, const Mlp& start, const PaperLearning& options)
    : nodes_(nodes), options_(options), online_(start), target_(online_) {
  gradient_.resize(online_.weights.size());
  if (options.optimizer == PaperOptimizer::kAdam) {
    mean_.resize(online_.weights.size());
    square_.resize(online_.weights.size());
  }
  input_met_.resize(static_cast<size_t>(start.shape().inputs));
  output_met_.resize(static_cast<size_t>(start.shape().outputs));
  input_here_ = input_met_;
  output_here_ = output_met_;
}

void PaperLearner::exchange_state(Archive& archive) {
  const size_t size = online_.weights.size(), inputs = input_met_.size(), outputs = output_met_.size();
  archive(online_.weights);
  archive(target_.weights);
  archive(mean_);
  archive(square_);
  archive(input_met_);
  archive(output_met_);
  archive(updates_);
  const size_t moments = options_.optimizer == PaperOptimizer::kAdam ? size : 0;
  Archive::demand(online_.weights.size() == size && target_.weights.size() == size && mean_.size() == moments &&
                  square_.size() == moments && input_met_.size() == inputs && output_met_.size() == outputs);
}

EdgeMove PaperLearner::best(const FirstLayer& first, const std::vector<EdgeMove>& valid) {
  back_.assign(first.value().begin(), first.value().end());
  relu(back_);
  for (size_t l = 1; l < online_.hidden().size(); ++l) {
    const long from = online_.hidden()[l - 1], to = online_.hidden()[l];
    const Eigen::Map<const Eigen::MatrixXf> matrix(online_.weights.data() + online_.matrix(static_cast<int>(l)), to,
                                                   from);
    back_next_.assign(online_.weights.begin() + online_.bias(static_cast<int>(l)),
                      online_.weights.begin() + online_.bias(static_cast<int>(l)) + to);
    Eigen::Map<Eigen::VectorXf>(back_next_.data(), to).noalias() +=
        matrix * Eigen::Map<const Eigen::VectorXf>(back_.data(), from);
    relu(back_next_);
    std::swap(back_, back_next_);
  }
  EdgeMove best = valid[0];
  float most = 0;
  for (size_t k = 0; k < valid.size(); ++k) {
    const float q = output(online_, paper_output(nodes_, valid[k]), back_.data());
    if (k == 0 || q > most) {
      best = valid[k];
      most = q;
    }
  }
  return best;
}

// c = a b, column by column as all matrices are here; so c' = b' a' is what the kernel gives, row by row.
void PaperLearner::product(const DenseMatrix<float>& a, const DenseMatrix<float>& b, int m, int k, int n, float* c,
                           long stride) {
  dense_kernels<float>().product({b.data, b.column, b.row}, {a.data, a.column, a.row}, n, k, m, false, c, stride,
                                 scratch_);
}

// Q of one move, from the last hidden layer.
float PaperLearner::output(const PaperNetwork& net, int output, const float* hidden) {
  const long width = net.hidden().back();
  return net.weights[static_cast<size_t>(net.output_bias() + output)] +
         Eigen::Map<const Eigen::VectorXf>(net.weights.data() + net.row(output), width)
             .dot(Eigen::Map<const Eigen::VectorXf>(hidden, width));
}

void PaperLearner::first_layer(const PaperNetwork& net, Batch batch, std::vector<float>& out) const {
  const long width = net.hidden()[0];
  out.resize(static_cast<size_t>(width) * batch.size());
  for (size_t k = 0; k < batch.size(); ++k) {
    Floats column(out.data() + static_cast<long>(k) * width, width);
    column = ConstFloats(net.weights.data() + net.bias(0), width);
    for (const int input : batch[k]->inputs) column += ConstFloats(net.weights.data() + net.column(input), width);
  }
}

void PaperLearner::play_moves(const PaperNetwork& net, Batch batch, std::vector<float>& out) const {
  const long width = net.hidden()[0];
  for (size_t k = 0; k < batch.size(); ++k) {
    Floats column(out.data() + static_cast<long>(k) * width, width);
    const Change change = change_of(nodes_, batch[k]->move);
    if (change.out >= 0) column -= ConstFloats(net.weights.data() + net.column(change.out), width);
    if (change.in >= 0) column += ConstFloats(net.weights.data() + net.column(change.in), width);
  }
}

// The hidden layers from the first, which is there already, without its ReLU.
void PaperLearner::hidden_layers(const PaperNetwork& net, Activation& all, int columns) {
  relu(all[0]);
  for (size_t l = 1; l < all.size(); ++l) {
    const int from = net.hidden()[l - 1], to = net.hidden()[l], layer = static_cast<int>(l);
    all[l].resize(static_cast<size_t>(to) * static_cast<size_t>(columns));
    product({net.weights.data() + net.matrix(layer), 1, to}, {all[l - 1].data(), 1, from}, to, from, columns,
            all[l].data(), to);
    Eigen::Map<Eigen::MatrixXf> z(all[l].data(), to, columns);
    z = (z.colwise() + Eigen::Map<const Eigen::VectorXf>(net.weights.data() + net.bias(layer), to)).cwiseMax(0.0f);
  }
}

// y of each transition. The first layer of the states, by the online network, is in now_[0], without its ReLU.
void PaperLearner::targets(Batch batch) {
  const int count = static_cast<int>(batch.size()), pairs = nodes_ * (nodes_ - 1);
  const int width = online_.hidden().back();
  next_[0] = now_[0];
  play_moves(online_, batch, next_[0]);
  hidden_layers(online_, next_, count);
  // Nearly all valid moves are additions, so the values of all additions are made at once: every third output.
  additions_.resize(static_cast<size_t>(pairs) * batch.size());
  product({online_.weights.data() + online_.row(0), 3L * width, 1}, {next_.back().data(), 1, width}, pairs, width,
          count, additions_.data(), pairs);
  std::vector<int> chosen(batch.size(), -1);
  for (size_t k = 0; k < batch.size(); ++k) {
    const PaperMemory& t = *batch[k];
    float most = 0;
    const auto consider = [&](int move, float q) {
      if (chosen[k] >= 0 && !(q > most || (q == most && move < chosen[k]))) return;
      chosen[k] = move;
      most = q;
    };
    const float* values = additions_.data() + static_cast<long>(k) * pairs;
    const float* bias = online_.weights.data() + online_.output_bias();
    for (Node pair : NodeView(t.next_additions.data(), static_cast<int>(t.next_additions.size()))) {
      consider(3 * pair, values[pair] + bias[3 * pair]);
    }
    for (const int move : t.next_others) {
      consider(move, output(online_, move, next_.back().data() + static_cast<long>(k) * width));
    }
  }
  first_layer(target_, batch, next_[0]);
  play_moves(target_, batch, next_[0]);
  hidden_layers(target_, next_, count);
  y_.resize(batch.size());
  for (size_t k = 0; k < batch.size(); ++k) {
    y_[k] = batch[k]->reward;
    if (chosen[k] < 0) continue;  // nothing is valid afterwards
    y_[k] += static_cast<float>(options_.discount) *
             output(target_, chosen[k], next_.back().data() + static_cast<long>(k) * width);
  }
}

// From y and the hidden layers in now_: the mean squared error, and in gradient_ its derivative by the weights.
double PaperLearner::backward(Batch batch) {
  const int count = static_cast<int>(batch.size()), last = static_cast<int>(now_.size()) - 1;
  long width = online_.hidden().back();
  back_.resize(static_cast<size_t>(width) * batch.size());
  double sum = 0;
  for (size_t k = 0; k < batch.size(); ++k) {
    const int move = paper_output(nodes_, batch[k]->move);
    const long at = static_cast<long>(k) * width;
    const float error = output(online_, move, now_.back().data() + at) - y_[k];
    sum += static_cast<double>(error) * error;
    const float by_value = 2 * error / static_cast<float>(count);
    output_here_[static_cast<size_t>(move)] = output_met_[static_cast<size_t>(move)] = 1;
    gradient_[static_cast<size_t>(online_.output_bias() + move)] += by_value;
    Floats(gradient_.data() + online_.row(move), width) += by_value * ConstFloats(now_.back().data() + at, width);
    Floats(back_.data() + at, width) = by_value * ConstFloats(online_.weights.data() + online_.row(move), width);
  }
  for (int l = last;; --l) {
    // Only units above zero pass anything on.
    Floats back(back_.data(), static_cast<long>(back_.size()));
    back = (ConstFloats(now_[static_cast<size_t>(l)].data(), back.size()) > 0).select(back, 0.0f);
    width = online_.hidden()[static_cast<size_t>(l)];
    Eigen::Map<Eigen::VectorXf>(gradient_.data() + online_.bias(l), width) =
        Eigen::Map<const Eigen::MatrixXf>(back_.data(), width, count).rowwise().sum();
    if (l == 0) break;
    const int from = online_.hidden()[static_cast<size_t>(l - 1)], to = static_cast<int>(width);
    product({back_.data(), 1, to}, {now_[static_cast<size_t>(l - 1)].data(), from, 1}, to, count, from,
            gradient_.data() + online_.matrix(l), to);
    back_next_.resize(static_cast<size_t>(from) * batch.size());
    product({online_.weights.data() + online_.matrix(l), to, 1}, {back_.data(), 1, to}, from, to, count,
            back_next_.data(), from);
    std::swap(back_, back_next_);
  }
  for (size_t k = 0; k < batch.size(); ++k) {
    const ConstFloats column(back_.data() + static_cast<long>(k) * width, width);
    for (const int input : batch[k]->inputs) {
      input_here_[static_cast<size_t>(input)] = input_met_[static_cast<size_t>(input)] = 1;
      Floats(gradient_.data() + online_.column(input), width) += column;
    }
  }
  return sum / count;
}

// Visits (begin, length) of every part of the weights: the columns and rows marked, and what belongs to all moves.
template <class Visit>
void PaperLearner::for_each_part(const std::vector<char>& inputs, const std::vector<char>& outputs, Visit visit) const {
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k]) visit(online_.column(static_cast<int>(k)), online_.hidden()[0]);
  }
  for (long begin = online_.bias(0), end = online_.row(0); begin < end; begin += kChunk) {
    visit(begin, std::min(kChunk, end - begin));
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k]) visit(online_.row(static_cast<int>(k)), online_.hidden().back());
  }
  for (long begin = online_.output_bias(), end = online_.size(); begin < end; begin += kChunk) {
    visit(begin, std::min(kChunk, end - begin));
  }
}

// The optimiser's step, and the target network after it, part by part while the part is in the cache.
void PaperLearner::step() {
  ++updates_;
  double rate = options_.learning_rate;
  if (options_.rate_steps > 0) {
    rate *= std::pow(options_.rate_decay, static_cast<double>((updates_ - 1) / options_.rate_steps));
  }
  float scale = 1;
  if (options_.clip > 0) {
    double squares = 0;
    for_each_part(input_here_, output_here_, [&](long begin, long length) {
      squares += static_cast<double>(ConstFloats(gradient_.data() + begin, length).square().sum());
    });
    if (squares > options_.clip * options_.clip) scale = static_cast<float>(options_.clip / std::sqrt(squares));
  }
  const AdamStep<float> adam = adam_step<float>({.learning_rate = rate}, updates_);
  const float tau = static_cast<float>(options_.target_rate);
  for_each_part(input_met_, output_met_, [&](long begin, long length) {
    Floats w(online_.weights.data() + begin, length), t(target_.weights.data() + begin, length);
    if (options_.optimizer == PaperOptimizer::kAdam) {
      dense_kernels<float>().adam(gradient_.data() + begin, scale, length, adam, mean_.data() + begin,
                                  square_.data() + begin, w.data());
    } else {
      w -= static_cast<float>(rate) * (scale * ConstFloats(gradient_.data() + begin, length));
    }
    t += tau * (w - t);
  });
  for_each_part(input_here_, output_here_,
                [&](long begin, long length) { Floats(gradient_.data() + begin, length).setZero(); });
  std::ranges::fill(input_here_, 0);
  std::ranges::fill(output_here_, 0);
}

double PaperLearner::update(Batch batch) {
  now_.resize(online_.hidden().size());
  next_.resize(online_.hidden().size());
  first_layer(online_, batch, now_[0]);
  targets(batch);
  hidden_layers(online_, now_, static_cast<int>(batch.size()));
  const double loss = backward(batch);
  step();
  return loss;
}

}  // namespace agon
