// Writers for the formats of results. They print each row when it comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output.hpp"

namespace kith::cli {

enum class format : std::uint8_t { table, tsv, json };
std::optional<format> find_format(std::string_view name);

// One value of a row.
struct cell {
  enum class kind : std::uint8_t { text, unset, truth };
  kind is = kind::text;
  std::string text;

  static cell unset() { return {kind::unset, "-"}; }
  static cell truth(bool is_true) { return {kind::truth, is_true ? "true" : "false"}; }
};

class row_writer {
 public:
  virtual ~row_writer() = default;
  virtual void begin(const std::vector<std::string>& columns) = 0;
  virtual void row(std::span<const cell> cells) = 0;
  virtual void end(std::size_t results, std::chrono::duration<double> time) = 0;
};

// Requires: `out` outlives the writer.
std::unique_ptr<row_writer> make_tsv_writer(output& out);
std::unique_ptr<row_writer> make_json_writer(output& out);
// With `with_summary` the last line is the number of results and the time.
std::unique_ptr<row_writer> make_table_writer(output& out, bool with_summary = true);
std::unique_ptr<row_writer> make_writer(format f, output& out);

}  // namespace kith::cli
