#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// The table in a NumPy file.
///
/// In an .npz, arrays with the same first dimension n are columns of n rows:
///
///   reward   shape (n,)         column  reward
///   x        shape (n, d)       columns x.0 ... x.{d-1}; further dimensions are laid out row by row
///   log      records of fields  columns log/a, log/b.0, log/b.1, ...
///
/// An array with another n is rejected when it is selected together with others, and one that holds no numbers (texts,
/// objects, complex numbers), or is in Fortran order, when it is selected at all.
///
/// In an .npy, records have the columns of their fields, a, b.0, b.1; a matrix has columns x.0, x.1, ...; and a list of
/// numbers has one column, which is called as the file without its ending.
///
/// Numbers become doubles: of integers beyond 2^53 the last digits are lost. NaN is an empty cell. Columns that were
/// not asked for are not read from the disk, those of the same array aside. Memory does not grow with the file.
std::unique_ptr<TableReader> open_numpy_table(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
