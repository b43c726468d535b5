#pragma once
/// What a fit on tables of measured runs comes to, of training and of serving alike.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "calibration/backtest.h"
#include "catalog/efficiency_constant.h"

namespace podwright {

/// Told what is fitted next: the group of rows that is left out, empty for the fit on all rows.
using Progress = std::function<void(const std::string& left_out)>;

/// Errors of predictions over some rows.
struct FitErrors {
  std::string rows_of;  ///< kind of model, of figure, and whether the fit saw the rows
  ErrorSummary errors;
};

struct Calibration {
  struct Table {
    std::string file;  ///< name in the catalog's folder
    std::string text;
  };
  std::vector<Table> tables;
  int table_rows = 0;   ///< of the measured tables
  int fitted_rows = 0;  ///< that tell what is fitted and can be expressed
  std::vector<FitErrors> errors;
  std::string refused;  ///< why the fit must not be used; empty: it may
};

/// A table of constants as read_efficiency_constants() reads it.
std::string constants_csv(std::span<const EfficiencyConstant> constants);

}  // namespace podwright
