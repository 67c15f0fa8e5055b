#include "results.hpp"

#include "interrupt.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

using clock = std::chrono::steady_clock;

// Fills the cells of a row. The rows of a batch differ only in the cell of $this.
class row_filler {
 public:
  row_filler(const query_view<>& q, bool with_ids) : has_this_(q.has_this()) {
    if (has_this_) columns_.push_back("this");
    for (const std::string& name : q.vars()) {
      columns_.push_back(name);
      variables_.push_back(q.find_var(name));
    }
    fields_ = with_ids ? q.field_count() : 0;
    for (std::size_t n = 0; n < fields_; ++n) columns_.push_back(std::to_string(n + 1));
    cells_.resize(columns_.size());
  }

  const std::vector<std::string>& columns() const { return columns_; }

  void begin_batch(const iter& it) {
    std::size_t column = has_this_ ? 1 : 0;
    for (int variable : variables_) cells_[column++] = cell_of(it.get_var(variable));
    for (std::size_t n = 0; n < fields_; ++n) cells_[column++] = cell_of(it.id(n));
  }

  std::span<const cell> row(const iter& it, std::size_t row) {
    if (has_this_) cells_[0] = cell_of(it.entity(row));
    return cells_;
  }

 private:
  static cell cell_of(id i) { return i ? cell{cell::kind::text, text_of(i)} : cell::unset(); }

  bool has_this_;
  std::vector<std::string> columns_;
  std::vector<int> variables_;
  std::size_t fields_ = 0;
  std::vector<cell> cells_;
};

// Carries out a visit of results, of which an interrupt may end the rest.
template <class Visit>
void until_interrupted(Visit visit) {
  try {
    visit();
  } catch (const error& e) {
    if (e.code() != errc::cancelled) throw;
  }
}

std::size_t write_rows(const query_view<>& q, bool with_ids, row_writer& out) {
  row_filler filler(q, with_ids);
  out.begin(filler.columns());
  std::size_t results = 0;
  until_interrupted([&] {
    for (iter& it : q) {
      filler.begin_batch(it);
      for (std::size_t row : it) {
        if (is_interrupted()) return;
        out.row(filler.row(it, row));
        ++results;
      }
    }
  });
  return results;
}

// Like q.count(), but stops after an interrupt.
std::size_t count(const query_view<>& q) {
  if (q.is_question()) return q.is_true();
  std::size_t results = 0;
  until_interrupted([&] {
    for (iter& it : q) {
      if (is_interrupted()) return;
      results += it.count();
    }
  });
  return results;
}

std::size_t write_truth(const query_view<>& q, row_writer& out) {
  const cell answer = cell::truth(q.is_true());
  out.begin({"result"});
  out.row({&answer, 1});
  return answer.text == "true";
}

}  // namespace

answer write_results(const query_view<>& q, bool with_ids, row_writer& out) {
  const auto start = clock::now();
  answer given;
  if (q.is_question()) {
    given.results = write_truth(q, out);
    given.is_no = given.results == 0;
  } else {
    given.results = write_rows(q, with_ids, out);
  }
  out.end(given.results, clock::now() - start);
  return given;
}

std::string measure(const query_view<>& q) {
  const auto start = clock::now();
  const std::size_t results = count(q);
  const auto time = clock::now() - start;
  const std::string answer =
      q.is_question() ? cell::truth(results > 0).text : count_text(results, "result");
  return answer + " in " + duration_text(time) + (is_interrupted() ? ", stopped" : "");
}

}  // namespace kith::cli
