// agon/referee/linear_program.h
//
// A linear program that grows: maximise c x subject to rows a x <= b (or = b) and 0 <= x <= u, with rows and columns
// added between solutions, each of which starts from the last one.
//
//   auto lp = make_linear_program();              // null: there is no solver
//   if (!lp) out << why_no_solver();
//   lp->add_rows({{.right = 1, .equal = true}});
//   lp->add_columns({{.gain = 2.5, .entries = {{0, 1.0}}}});
//   if (lp->solve()) lp->value(0), lp->dual(0);   // 1, 2.5
//
// The solver is Clp of COIN-OR (EPL-2.0), found when it is first asked for: libClp.so.1, in Debian the package
// coinor-libclp1. So nothing is linked, and a program that proves nothing does not load it. Nobody has to believe what
// it says: a bound is computed in integers from its multipliers, whatever they are (plain_bound.h).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace agon {

class LinearProgram {
 public:
  using Entries = std::vector<std::pair<int, double>>;  // (index, coefficient)
  struct Row {
    double right = 0;
    bool equal = false;
    Entries entries = {};  // of the columns that are there already
  };
  struct Column {
    double gain = 0;
    Entries entries = {};  // of the rows that are there already
  };

  virtual ~LinearProgram() = default;
  virtual void add_rows(const std::vector<Row>& rows) = 0;
  virtual void add_columns(const std::vector<Column>& columns) = 0;
  virtual void delete_rows(const std::vector<int>& rows) = 0;  // those after them move up
  virtual void forbid(int column) = 0;                         // it must be 0 from now on
  // False if no optimum was found; then values and duals are not to be used. At most so many pivots.
  virtual bool solve(int pivots = 50'000) = 0;
  virtual double value(int column) const = 0;
  virtual double dual(
      int row) const = 0;           // what one more unit of the right side would gain; >= 0 unless the row is equal
  virtual long pivots() const = 0;  // of all solutions so far
  virtual int rows() const = 0;
  virtual int columns() const = 0;
};

std::unique_ptr<LinearProgram> make_linear_program();
bool has_linear_program();
std::string why_no_solver();  // "" if there is one

}  // namespace agon
