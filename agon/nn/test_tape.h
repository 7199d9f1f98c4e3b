// agon/nn/test_tape.h
//
// The plain twin of layers.h, for tests: a tape of matrix operations in double precision that finds gradients by
// itself. It shares neither code nor layout with the layers: here a row is a token of an episode.
//
// Make leaves from matrices, build a loss from them by the operations below, call backward(loss), and read the gradient
// of each leaf.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <vector>

namespace agon {

using Var = int;

class Tape {
 public:
  using Matrix = Eigen::MatrixXd;

  Var leaf(Matrix value) {
    return record(std::move(value), [](const Matrix&) {});
  }
  const Matrix& value(Var v) const { return nodes_[v].value; }
  const Matrix& gradient(Var v) const { return nodes_[v].gradient; }

  Var product(Var a, Var b) {
    return record(value(a) * value(b), [this, a, b](const Matrix& by) {
      add_to(a, by * value(b).transpose());
      add_to(b, value(a).transpose() * by);
    });
  }
  Var turned(Var a) {
    return record(value(a).transpose(), [this, a](const Matrix& by) { add_to(a, by.transpose()); });
  }
  Var add(Var a, Var b) {
    return record(value(a) + value(b), [this, a, b](const Matrix& by) { add_to(a, by), add_to(b, by); });
  }
  Var add_row(Var a, Var row) {
    return record(value(a).rowwise() + value(row).row(0), [this, a, row](const Matrix& by) {
      add_to(a, by);
      add_to(row, by.colwise().sum());
    });
  }
  Var multiply(Var a, Var b) {
    return record(value(a).cwiseProduct(value(b)), [this, a, b](const Matrix& by) {
      add_to(a, by.cwiseProduct(value(b)));
      add_to(b, by.cwiseProduct(value(a)));
    });
  }
  Var multiply_row(Var a, Var row) { return multiply(a, product(leaf(Matrix::Ones(value(a).rows(), 1)), row)); }
  Var scale(Var a, double factor) {
    return record(factor * value(a), [this, a, factor](const Matrix& by) { add_to(a, factor * by); });
  }
  Var relu(Var a) {
    return elementwise(
        a, [](double x) { return std::max(x, 0.0); }, [](double x, double) { return x > 0 ? 1.0 : 0.0; });
  }
  Var tanh(Var a) {
    return elementwise(
        a, [](double x) { return std::tanh(x); }, [](double, double y) { return 1 - y * y; });
  }
  Var sigmoid(Var a) {
    return elementwise(
        a, [](double x) { return 1 / (1 + std::exp(-x)); }, [](double, double y) { return y * (1 - y); });
  }
  Var exp(Var a) {
    return elementwise(
        a, [](double x) { return std::exp(x); }, [](double, double y) { return y; });
  }
  Var log(Var a) {
    return elementwise(
        a, [](double x) { return std::log(x); }, [](double x, double) { return 1 / x; });
  }
  Var inverse_root(Var a, double plus) {
    return elementwise(
        a, [=](double x) { return 1 / std::sqrt(x + plus); }, [](double, double y) { return -0.5 * y * y * y; });
  }
  Var inverse(Var a) {
    return elementwise(
        a, [](double x) { return 1 / x; }, [](double, double y) { return -y * y; });
  }
  Var sum(Var a) {
    return record(Matrix::Constant(1, 1, value(a).sum()), [this, a](const Matrix& by) {
      add_to(a, Matrix::Constant(value(a).rows(), value(a).cols(), by(0, 0)));
    });
  }
  Var softmax_rows(Var a) {
    const Var e = exp(a);
    const Var total = product(e, leaf(Matrix::Ones(value(a).cols(), 1)));
    return multiply(e, product(inverse(total), leaf(Matrix::Ones(1, value(a).cols()))));
  }
  Var column_mean(Var a) { return scale(product(leaf(Matrix::Ones(1, value(a).rows())), a), 1.0 / rows(a)); }
  Var column_norm(Var a, Var gamma, Var beta) {
    const Var centred = add_row(a, scale(column_mean(a), -1));
    const Var root = inverse_root(column_mean(multiply(centred, centred)), 1e-3);
    return add_row(multiply_row(multiply_row(centred, root), gamma), beta);
  }
  // Rows and columns [row, row + count) x [column, column + width).
  Var part(Var a, long row, long count, long column, long width) {
    return record(value(a).block(row, column, count, width),
                  [=, this](const Matrix& by) { nodes_[a].gradient.block(row, column, count, width) += by; });
  }
  // The parts put together again: out[row .. ][column ..] = part.
  struct Placed {
    Var part;
    long row, column;
  };
  Var assembled(long all_rows, long columns, const std::vector<Placed>& parts) {
    Matrix whole = Matrix::Zero(all_rows, columns);
    for (const Placed& p : parts) whole.block(p.row, p.column, rows(p.part), value(p.part).cols()) = value(p.part);
    return record(std::move(whole), [this, parts](const Matrix& by) {
      for (const Placed& p : parts) add_to(p.part, by.block(p.row, p.column, rows(p.part), value(p.part).cols()));
    });
  }

  void backward(Var loss) {
    for (Node& node : nodes_) node.gradient = Matrix::Zero(node.value.rows(), node.value.cols());
    nodes_[loss].gradient.setOnes();
    for (Var v = loss; v >= 0; --v) {
      const Matrix by = nodes_[v].gradient;
      nodes_[v].back(by);
    }
  }

 private:
  struct Node {
    Matrix value, gradient;
    std::function<void(const Matrix&)> back;
  };

  long rows(Var a) const { return value(a).rows(); }
  void add_to(Var v, const Matrix& by) { nodes_[v].gradient += by; }
  Var record(Matrix value, std::function<void(const Matrix&)> back) {
    nodes_.push_back({std::move(value), {}, std::move(back)});
    return static_cast<Var>(nodes_.size()) - 1;
  }
  template <class Function, class Slope>
  Var elementwise(Var a, Function f, Slope slope) {
    Matrix y = value(a).unaryExpr(f);
    const Var out = static_cast<Var>(nodes_.size());
    return record(std::move(y), [this, a, out, slope](const Matrix& by) {
      add_to(a, by.cwiseProduct(value(a).binaryExpr(value(out), slope)));
    });
  }

  std::vector<Node> nodes_;
};

}  // namespace agon
