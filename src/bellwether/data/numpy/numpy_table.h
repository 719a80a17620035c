#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Opens the table in a NumPy file.
///
/// In an .npz, arrays with the same first dimension n are columns of n rows:
///
///   reward   shape (n,)         column  reward
///   x        shape (n, d)       columns x.0 ... x.{d-1}; further dimensions are laid out row by row
///   log      records of fields  columns log/a, log/b.0, log/b.1, ...
///
/// Selecting arrays with different n together is an error, and so is selecting an array that does not hold numbers
/// (strings, objects, complex numbers) or is in Fortran order.
///
/// In an .npy, the columns of records are their fields, a, b.0, b.1; the columns of a matrix are x.0, x.1, ...; and a
/// one-dimensional array is one column, named after the file without its ending.
///
/// Numbers become doubles: integers beyond 2^53 lose their last digits. NaN is an empty cell. Only arrays with a
/// selected column are read from the disk. Memory does not grow with the file.
std::unique_ptr<TableReader> open_numpy_table(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
