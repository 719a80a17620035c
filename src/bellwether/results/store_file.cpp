#include <bellwether/results/store_file.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <new>
#include <stdexcept>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/results/store_checksums.h>
#include <bellwether/results/store_companions.h>
#include <bellwether/results/store_transaction.h>

namespace bellwether::store_file {

namespace fs = std::filesystem;

namespace {

constexpr int application = 0x42656c6c;  // "Bell"
constexpr int format = 3;
constexpr int first_with_checksums = 2;
constexpr int first_with_study_checksums = 3;
constexpr int patience = 10'000;  // milliseconds to wait for another program to let go of the file

// The tables of format 1. docs/store.md says what the columns mean. Rows that are small are kept in the order of their
// keys; those that carry curves are not, because rows that nearly fill a page make a key slow to find.
constexpr const char* schema = R"(
CREATE TABLE studies (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL, scale TEXT NOT NULL, title TEXT NOT NULL,
  protocol TEXT NOT NULL, seeds INTEGER NOT NULL, metrics TEXT NOT NULL, at TEXT NOT NULL,
  keeps_curves INTEGER NOT NULL,
  source TEXT NOT NULL, version TEXT NOT NULL, machine TEXT NOT NULL, command TEXT NOT NULL, created TEXT NOT NULL,
  UNIQUE (name, scale));
CREATE TABLE settings (
  id INTEGER PRIMARY KEY,
  study INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
  domain TEXT NOT NULL, domain_settings TEXT NOT NULL, features TEXT NOT NULL, feature_settings TEXT NOT NULL,
  label TEXT NOT NULL, learner TEXT NOT NULL, parameters TEXT NOT NULL,
  dim INTEGER NOT NULL, max_active INTEGER NOT NULL, microseconds REAL, bytes INTEGER,
  planned INTEGER NOT NULL DEFAULT 1,
  UNIQUE (study, domain, domain_settings, features, feature_settings, label, learner, parameters));
CREATE TABLE runs (
  setting INTEGER NOT NULL REFERENCES settings ON DELETE CASCADE,
  seed INTEGER NOT NULL, diverged_at INTEGER, seconds REAL NOT NULL,
  PRIMARY KEY (setting, seed)) WITHOUT ROWID;
CREATE TABLE scores (
  setting INTEGER NOT NULL, seed INTEGER NOT NULL, metric TEXT NOT NULL, average REAL, last REAL,
  PRIMARY KEY (setting, seed, metric),
  FOREIGN KEY (setting, seed) REFERENCES runs ON DELETE CASCADE) WITHOUT ROWID;
CREATE TABLE curves (
  setting INTEGER NOT NULL REFERENCES settings ON DELETE CASCADE,
  block INTEGER NOT NULL, metric TEXT NOT NULL, runs INTEGER NOT NULL, mean BLOB NOT NULL, m2 BLOB NOT NULL,
  PRIMARY KEY (setting, block, metric));
CREATE TABLE run_curves (
  setting INTEGER NOT NULL, seed INTEGER NOT NULL, metric TEXT NOT NULL, curve BLOB NOT NULL,
  PRIMARY KEY (setting, seed, metric),
  FOREIGN KEY (setting, seed) REFERENCES runs ON DELETE CASCADE);
)";

// Since format 2. A block of -1 stands for the setting itself.
constexpr const char* checksums_schema = R"(
CREATE TABLE checksums (
  setting INTEGER NOT NULL REFERENCES settings ON DELETE CASCADE, block INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (setting, block)) WITHOUT ROWID;
)";

// Since format 3.
constexpr const char* study_checksums_schema = R"(
CREATE TABLE study_checksums (
  study INTEGER PRIMARY KEY REFERENCES studies ON DELETE CASCADE, value INTEGER NOT NULL);
)";

constexpr std::array<const char*, format> tables_since{schema, checksums_schema, study_checksums_schema};  // 1, 2, 3

using Definitions = std::map<std::string, std::string>;  // of tables, by name

/// The tables that a database has. Throws when it has something that would act by itself or come from elsewhere:
/// triggers, or tables that are views or belong to a module. Tables, indexes and views that people add are welcome.
Definitions definitions_in(SQLite::Database& database) {
  Definitions tables;
  SQLite::Statement row(database, "SELECT type, name, coalesce(sql, '') FROM sqlite_master");
  while (row.executeStep()) {
    const std::string type = row.getColumn(0).getString();
    const std::string name = row.getColumn(1).getString();
    const std::string sql = row.getColumn(2).getString();
    if (type == "trigger" || (type == "table" && !sql.starts_with("CREATE TABLE"))) {
      throw std::runtime_error(fmt::format("{} {} does not belong there", type, name));
    }
    if (type == "table") tables[name] = sql;
  }
  return tables;
}

int number(SQLite::Database& database, const char* query) { return database.execAndGet(query).getInt(); }

int format_of(SQLite::Database& database) { return number(database, "PRAGMA user_version"); }

/// The tables that each format has added, as we make them.
std::array<Definitions, format> our_definitions() {
  std::array<Definitions, format> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    fresh.exec(tables_since[i]);
    all[i] = definitions_in(fresh);
  }
  return all;
}

/// Throws unless our tables are as we make them: queries rely on types and on what may be missing. A table of a later
/// format means that the number of the format is damaged, and with it what would be checked.
void check_schema(SQLite::Database& database) {
  static const std::array<Definitions, format> ours = our_definitions();
  const Definitions found = definitions_in(database);
  const int version = format_of(database);
  for (int since = 1; since <= format; ++since) {
    for (const auto& [name, sql] : ours[static_cast<std::size_t>(since - 1)]) {
      const auto there = found.find(name);
      if (version < since && there == found.end()) continue;
      if (version < since) throw std::runtime_error(fmt::format("format {} has no table {}", version, name));
      if (there == found.end()) throw std::runtime_error(fmt::format("table {} is missing", name));
      if (there->second != sql) throw std::runtime_error(fmt::format("table {} has other columns", name));
    }
  }
}

/// Makes the tables that a new file, or one of an older format, lacks, with the checksums that belong in them: all of
/// that or nothing. What has no checksum yet is believed, as it was until now.
void bring_up_to_date(SQLite::Database& database, bool is_empty) {
  const int before = is_empty ? 0 : format_of(database);
  if (before == format) return;
  StoreTransaction all(database, StoreTransaction::For::writing);
  for (int since = before + 1; since <= format; ++since)
    database.exec(tables_since[static_cast<std::size_t>(since - 1)]);
  database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, format));
  StoreChecksums checksums(database);
  if (before < first_with_checksums) checksums.write_all();
  else checksums.write_studies();
  checksums.verify_studies();
  all.commit();
}

/// What a file says is not to be trusted: its schema calls no functions that do more than compute, nobody writes to its
/// internal tables, and cells that do not fit into their page are damage.
void distrust(SQLite::Database& database) {
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
}

/// True for a database in which nothing has been written yet; throws when it is somebody else's or of a newer format.
bool is_new(SQLite::Database& database, const fs::path& file) {
  const int id = number(database, "PRAGMA application_id");
  const int version = format_of(database);
  if (id == 0 && number(database, "SELECT count(*) FROM sqlite_master") == 0) return true;
  if (id != application) {
    throw InvalidArgument(fmt::format("{} is a database, but not one of Bellwether's results", file.string()));
  }
  if (version > format) {
    throw InvalidArgument(fmt::format("{} was written by a newer Bellwether: its format is {}, and this one knows {}",
                                      file.string(), version, format));
  }
  return false;
}

[[noreturn]] void fail(const std::string& file, const SQLite::Exception& error) {
  const char* kept = "what was finished is kept, the same command resumes";
  switch (error.getErrorCode() & 0xff) {  // without the details of the extended codes
    case SQLITE_NOTADB: throw InvalidArgument(fmt::format("{} is not a file of results ({})", file, error.what()));
    case SQLITE_CORRUPT: throw IoError(fmt::format("{} is damaged ({})", file, error.what()));
    case SQLITE_FULL: throw IoError(fmt::format("{}: the disk is full ({}); {}", file, error.what(), kept));
    case SQLITE_IOERR:
      throw IoError(fmt::format("{}: the disk is full, too large a file is not allowed, or the disk fails ({}); {}",
                                file, error.what(), kept));
    case SQLITE_BUSY:
    case SQLITE_LOCKED: throw IoError(fmt::format("{} is being used by another program ({})", file, error.what()));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM: throw IoError(fmt::format("cannot open {} ({})", file, error.what()));
    default: throw IoError(fmt::format("{}: {}", file, error.what()));
  }
}

/// The absolute path, after a look at what SQLite would open with the file.
fs::path located_alone(const fs::path& file) {
  fs::path target = located(file);
  std::error_code error;
  check_companions(target, fs::is_symlink(file, error) ? target.string() : file.string());
  return target;
}

}  // namespace

bool has_checksums(SQLite::Database& database) { return format_of(database) >= first_with_checksums; }
bool has_study_checksums(SQLite::Database& database) { return format_of(database) >= first_with_study_checksums; }

fs::path located(const fs::path& file) {
  std::error_code error;
  if (file.empty()) throw InvalidArgument("the file of results has no name");
  if (fs::is_directory(file, error)) {
    throw InvalidArgument(fmt::format("{} is a directory, not a file of results", file.string()));
  }
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    throw InvalidArgument(fmt::format("{} is not a file of results", file.string()));
  }
  fs::path target = fs::weakly_canonical(without_links(file.string()), error);  // a link may lead to a new file
  return error ? fs::absolute(file) : target;
}

std::unique_ptr<SQLite::Database> open_for_writing(const fs::path& file) {
  return guarded(file, [&] {
    const fs::path target = located_alone(file);
    auto database = std::make_unique<SQLite::Database>(
        target.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX, patience);
    distrust(*database);
    const bool is_empty = is_new(*database, file);
    if (!is_empty) check_schema(*database);
    database->exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536");
    database->exec("PRAGMA journal_mode = WAL");
    bring_up_to_date(*database, is_empty);
    return database;
  });
}

std::unique_ptr<SQLite::Database> open_for_reading(const fs::path& file) {
  return guarded(file, [&] {
    const fs::path target = located_alone(file);
    if (std::error_code error; !fs::exists(target, error)) {
      throw IoError(fmt::format("cannot read {}: {}", file.string(), std::strerror(ENOENT)));
    }
    // A sweep that was killed may have left a transaction to undo, which takes the right to write. Where there is none,
    // SQLite opens the file for reading only.
    auto database =
        std::make_unique<SQLite::Database>(target.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, patience);
    database->exec("PRAGMA query_only = ON");
    distrust(*database);
    const StoreTransaction one_moment(*database, StoreTransaction::For::reading);  // a sweep may be making its tables
    if (is_new(*database, file)) throw InvalidArgument(fmt::format("{} holds no results yet", file.string()));
    check_schema(*database);
    return database;
  });
}

void rethrow(const fs::path& file) {
  try {
    throw;
  } catch (const SQLite::Exception& error) {
    fail(file.string(), error);
  } catch (const InvalidArgument&) {
    throw;
  } catch (const IoError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw IoError(fmt::format("{} is damaged ({})", file.string(), error.what()));
  }
}

}  // namespace bellwether::store_file
