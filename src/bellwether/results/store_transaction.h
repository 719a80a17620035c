#pragma once

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

namespace bellwether {

/// What is read from a file of results at one moment; or changes of it that are made all together by `commit`, or not
/// at all.
///
/// SQLite::Transaction makes strings while it is undone, and so ends the program where memory is what failed.
class StoreTransaction {
 public:
  enum class For : bool { reading, writing };

  StoreTransaction(SQLite::Database& database, For use) : database_(database) {
    database_.exec(use == For::reading ? "BEGIN" : "BEGIN IMMEDIATE");
  }
  ~StoreTransaction() {
    if (!committed_) sqlite3_exec(database_.getHandle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  StoreTransaction(const StoreTransaction&) = delete;
  StoreTransaction& operator=(const StoreTransaction&) = delete;

  void commit() {
    database_.exec("COMMIT");
    committed_ = true;
  }

 private:
  SQLite::Database& database_;
  bool committed_ = false;
};

}  // namespace bellwether
