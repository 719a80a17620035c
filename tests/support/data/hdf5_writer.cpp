#include "support/data/hdf5_writer.h"

#include <hdf5.h>

#include <numeric>

namespace bellwether::testing {

Hdf5Writer::Hdf5Writer(const std::string& path)
    : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)), links_(H5Pcreate(H5P_LINK_CREATE)) {
  H5Pset_create_intermediate_group(links_, 1);
}

Hdf5Writer::~Hdf5Writer() {
  H5Pclose(links_);
  H5Fclose(file_);
}

void Hdf5Writer::group(const std::string& path) {
  H5Gclose(H5Gcreate2(file_, path.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT));
}

void Hdf5Writer::numbers(const std::string& path, const std::vector<std::uint64_t>& shape,
                         const std::vector<double>& values) {
  const std::vector<hsize_t> lengths(shape.begin(), shape.end());
  const hid_t space =
      shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), lengths.data(), nullptr);
  const hid_t array = H5Dcreate2(file_, path.c_str(), H5T_NATIVE_DOUBLE, space, links_, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(array);
  H5Sclose(space);
}

void Hdf5Writer::texts(const std::string& path, std::uint64_t count) {
  const hsize_t length = count;
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 4);
  H5Dclose(H5Dcreate2(file_, path.c_str(), type, space, links_, H5P_DEFAULT, H5P_DEFAULT));
  H5Tclose(type);
  H5Sclose(space);
}

void Hdf5Writer::link(const std::string& path, const std::string& target) {
  H5Lcreate_hard(file_, target.c_str(), file_, path.c_str(), links_, H5P_DEFAULT);
}

void Hdf5Writer::external_link(const std::string& path, const std::string& file, const std::string& target) {
  H5Lcreate_external(file.c_str(), target.c_str(), file_, path.c_str(), links_, H5P_DEFAULT);
}

void Hdf5Writer::virtual_numbers(const std::string& path, std::uint64_t count, const std::string& file,
                                 const std::string& target) {
  const hsize_t length = count;
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(layout, space, file.c_str(), target.c_str(), space);
  H5Dclose(H5Dcreate2(file_, path.c_str(), H5T_NATIVE_DOUBLE, space, links_, layout, H5P_DEFAULT));
  H5Pclose(layout);
  H5Sclose(space);
}

void Hdf5Writer::declared_numbers(const std::string& path, std::uint64_t count) {
  const hsize_t length = count, chunk = 1000;
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(layout, 1, &chunk);
  H5Dclose(H5Dcreate2(file_, path.c_str(), H5T_NATIVE_DOUBLE, space, links_, layout, H5P_DEFAULT));
  H5Pclose(layout);
  H5Sclose(space);
}

void Hdf5Writer::episode(int number, std::uint64_t n, std::uint64_t width) {
  const std::string group = "episode_" + std::to_string(number) + "/";
  std::vector<double> values((n + 1) * width);
  std::iota(values.begin(), values.end(), 0.0);
  numbers(group + "observations", {n + 1, width}, values);
  numbers(group + "rewards", {n}, values);
  numbers(group + "terminations", {n}, std::vector<double>(n));
}

}  // namespace bellwether::testing
