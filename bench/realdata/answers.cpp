// Answers questions about a file of facts, for scripts/realdata.
//
//     bench_realdata FACTS QUESTIONS FOLDER SECONDS
//
// QUESTIONS has a line `name<TAB>query` for each question. Each is asked as a `filter` that is made
// anew, once and then as often as fits into SECONDS (at most 4 times more): the time of a run has
// everything from the text of the query to the last row, with all variables of each row read. Times
// are processor time.
// The program prints one line of JSON for the loaded facts and one for each question, as soon as it
// is answered. FOLDER gets the rows of each answer as names (`name.tsv`) and its plan
// (`name.plan`); writing them is not measured.
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <kith/kith.hpp>

namespace {

// The processor time of this thread in milliseconds, so that other programs do not count.
double milliseconds() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// A line of /proc/self/status in bytes, such as VmRSS; 0 where there is no such file.
std::uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key + ":", 0) == 0) return std::stoull(line.substr(key.size() + 1)) * 1024;
  return 0;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::vector<int> variables_of(const kith::query<>& q) {
  std::vector<int> numbers;
  for (const std::string& name : q.vars()) numbers.push_back(q.find_var(name));
  return numbers;
}

struct answer {
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;  // of all entities in all rows, so that each is read
};

answer ask(kith::world& world, const std::string& text) {
  const auto q = world.filter(text);
  const std::vector<int> variables = variables_of(q);
  const bool has_this = q.has_this();
  answer found;
  q.iter([&](kith::iter& it) {
    found.rows += it.count();
    for (int variable : variables) found.sum += it.get_var(variable).raw_id() * it.count();
    if (has_this)
      for (auto row : it) found.sum += it.entity(row).raw_id();
  });
  return found;
}

// The rows of the query as names, and its plan after one run.
void write_answer(kith::world& world, const std::string& text, const std::string& path) {
  const auto q = world.filter(text);
  const std::vector<int> variables = variables_of(q);
  const bool has_this = q.has_this();
  std::ofstream rows(path + ".tsv", std::ios::binary);
  q.iter([&](kith::iter& it) {
    std::string tail;
    for (int variable : variables) {
      const kith::entity value = it.get_var(variable);
      tail += '\t';
      tail += value ? value.name() : std::string_view("-");
    }
    for (auto row : it)
      if (has_this)
        rows << it.entity(row).name() << tail << '\n';
      else
        rows << std::string_view(tail).substr(tail.empty() ? 0 : 1) << '\n';
  });
  std::ofstream(path + ".plan") << q.plan();
}

void measure(kith::world& world, const std::string& name, const std::string& text,
             const std::string& folder, double seconds) {
  double first = 0, best = std::numeric_limits<double>::infinity(), all = 0;
  answer found;
  for (int run = 0; run < 5 && (run == 0 || all < seconds * 1000); ++run) {
    const double began = milliseconds();
    found = ask(world, text);
    const double took = milliseconds() - began;
    if (run == 0) first = took;
    best = std::min(best, took);
    all += took;
  }
  write_answer(world, text, folder + "/" + name);
  std::cout << "{\"question\": \"" << name << "\", \"first\": " << first << ", \"best\": " << best
            << ", \"rows\": " << found.rows << "}" << std::endl;
}

int run(const std::vector<std::string>& arguments) {
  const double began = milliseconds();
  kith::world world;
  const std::size_t statements = world.define(read_file(arguments[0]));
  const double took = milliseconds() - began;
  std::cout << "{\"load\": " << took << ", \"statements\": " << statements
            << ", \"memory\": " << status_bytes("VmRSS") << ", \"peak\": " << status_bytes("VmHWM")
            << "}" << std::endl;
  std::ifstream questions(arguments[1]);
  for (std::string line; std::getline(questions, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) throw std::runtime_error("a question without a tab: " + line);
    measure(world, line.substr(0, tab), line.substr(tab + 1), arguments[2],
            std::stod(arguments[3]));
  }
  std::cout << "{\"end\": true, \"memory\": " << status_bytes("VmRSS")
            << ", \"peak\": " << status_bytes("VmHWM") << "}" << std::endl;
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    std::cerr << "usage: bench_realdata FACTS QUESTIONS FOLDER SECONDS\n";
    return 64;
  }
  try {
    return run({arguments + 1, arguments + count});
  } catch (const std::exception& e) {
    std::cerr << "bench_realdata: " << e.what() << "\n";
    return 1;
  }
}
