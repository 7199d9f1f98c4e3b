#include "agon/referee/linear_program.h"

#ifndef AGON_STATIC
#include <dlfcn.h>
#endif

namespace agon {
namespace {

// The part of Clp's C interface (Clp_C_Interface.h of Clp 1.17) that is used here, looked up by name. Clp minimises, so
// gains and duals change their sign on the way.
struct Clp {
  using Model = void;
  Model* (*newModel)() = nullptr;
  void (*deleteModel)(Model*) = nullptr;
  void (*addRows)(Model*, int, const double*, const double*, const int*, const int*, const double*) = nullptr;
  void (*addColumns)(Model*, int, const double*, const double*, const double*, const int*, const int*,
                     const double*) = nullptr;
  void (*deleteRows)(Model*, int, const int*) = nullptr;
  void (*setLogLevel)(Model*, int) = nullptr;
  void (*setMaximumIterations)(Model*, int) = nullptr;
  int (*dual)(Model*, int) = nullptr;
  int (*primal)(Model*, int) = nullptr;
  int (*status)(Model*) = nullptr;
  int (*numberIterations)(Model*) = nullptr;
  double* (*primalColumnSolution)(Model*) = nullptr;
  double* (*dualRowSolution)(Model*) = nullptr;
  double* (*columnUpper)(Model*) = nullptr;
  std::string missing;

  Clp() {
#ifdef AGON_STATIC
    missing = "a static executable cannot load libClp.so.1";
#else
    void* library = dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      missing = "libClp.so.1 was not found; in Debian it is in the package coinor-libclp1";
      return;
    }
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) missing = std::string("libClp.so.1 has no ") + name;
    };
    find(newModel, "Clp_newModel");
    find(deleteModel, "Clp_deleteModel");
    find(addRows, "Clp_addRows");
    find(addColumns, "Clp_addColumns");
    find(deleteRows, "Clp_deleteRows");
    find(setLogLevel, "Clp_setLogLevel");
    find(setMaximumIterations, "Clp_setMaximumIterations");
    find(dual, "Clp_dual");
    find(primal, "Clp_primal");
    find(status, "Clp_status");
    find(numberIterations, "Clp_numberIterations");
    find(primalColumnSolution, "Clp_primalColumnSolution");
    find(dualRowSolution, "Clp_dualRowSolution");
    find(columnUpper, "Clp_columnUpper");
#endif
  }
};

const Clp& clp() {
  static const Clp library;
  return library;
}

constexpr double kUnbounded = 1e30;  // beyond 1e27 Clp takes a number for infinite

// Entries one after the other, as Clp takes them.
struct Packed {
  std::vector<int> starts = {0}, index;
  std::vector<double> value;
  void add(const LinearProgram::Entries& entries) {
    for (const auto& [at, x] : entries) {
      index.push_back(at);
      value.push_back(x);
    }
    starts.push_back(static_cast<int>(index.size()));
  }
};

class ClpProgram final : public LinearProgram {
 public:
  ClpProgram() : model_(clp().newModel()) { clp().setLogLevel(model_, 0); }
  ~ClpProgram() override { clp().deleteModel(model_); }
  ClpProgram(const ClpProgram&) = delete;

  void add_rows(const std::vector<Row>& rows) override {
    if (rows.empty()) return;
    Packed packed;
    std::vector<double> lower, upper;
    for (const Row& row : rows) {
      lower.push_back(row.equal ? row.right : -kUnbounded);
      upper.push_back(row.right);
      packed.add(row.entries);
    }
    clp().addRows(model_, static_cast<int>(rows.size()), lower.data(), upper.data(), packed.starts.data(),
                  packed.index.data(), packed.value.data());
    rows_ += static_cast<int>(rows.size());
    grew_rows_ = true;
  }
  void add_columns(const std::vector<Column>& columns) override {
    if (columns.empty()) return;
    Packed packed;
    std::vector<double> lower(columns.size(), 0), upper(columns.size(), kUnbounded), cost;
    for (const Column& column : columns) {
      cost.push_back(-column.gain);
      packed.add(column.entries);
    }
    clp().addColumns(model_, static_cast<int>(columns.size()), lower.data(), upper.data(), cost.data(),
                     packed.starts.data(), packed.index.data(), packed.value.data());
    columns_ += static_cast<int>(columns.size());
    grew_columns_ = true;
  }
  void delete_rows(const std::vector<int>& rows) override {
    if (rows.empty()) return;
    clp().deleteRows(model_, static_cast<int>(rows.size()), rows.data());
    rows_ -= static_cast<int>(rows.size());
  }
  void forbid(int column) override {
    clp().columnUpper(model_)[column] = 0;
    grew_rows_ = true;
  }
  bool solve(int pivots) override {
    clp().setMaximumIterations(model_, pivots);
    // New columns leave the last solution primal feasible, new rows leave it dual feasible.
    if (grew_columns_ && !grew_rows_) {
      clp().primal(model_, 0);
    } else {
      clp().dual(model_, 0);
    }
    grew_rows_ = grew_columns_ = false;
    pivots_ += clp().numberIterations(model_);
    return clp().status(model_) == 0;
  }
  double value(int column) const override { return clp().primalColumnSolution(model_)[column]; }
  double dual(int row) const override { return -clp().dualRowSolution(model_)[row]; }
  long pivots() const override { return pivots_; }
  int rows() const override { return rows_; }
  int columns() const override { return columns_; }

 private:
  Clp::Model* model_;
  int rows_ = 0, columns_ = 0;
  long pivots_ = 0;
  bool grew_rows_ = false, grew_columns_ = false;
};

}  // namespace

std::unique_ptr<LinearProgram> make_linear_program() {
  if (!has_linear_program()) return nullptr;
  return std::make_unique<ClpProgram>();
}

bool has_linear_program() { return clp().missing.empty(); }
std::string why_no_solver() { return clp().missing; }

}  // namespace agon
