// A simulation of a colony, tick by tick: births and deaths, jobs with wages, homes, guilds and
// their alliances, offers with prices, a hierarchy of towns, districts and households.
//
//     bench_colony [--agents N] [--ticks N] [--seed N] [--library kith|flecs|all] [--plans yes]
//
// Prints the mean time of each phase of a tick, and the memory of the process. The first tick is
// printed apart: it makes what queries keep. After each tick the driver counts by hand and
// compares; a difference ends the program with status 1. With `all`, every library that the program
// was built with plays the same colony, one after the other, and must come to the same sums.
//
// Times are processor time of one thread.
#include <algorithm>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>

#include "colony.hpp"
#include "fate.hpp"

namespace colony {
namespace {

double milliseconds() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// Memory of the process in megabytes; 0 where there is no /proc.
double memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1024;
  return 0;
}

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

// The time of each phase, in the order of their first run.
class phases {
 public:
  void begin_tick() { ++ticks_; }
  template <class Function>
  auto time(const std::string& name, Function body) {
    struct measured {  // adds the time when `body` has returned
      double& into;
      double began = milliseconds();
      ~measured() { into += milliseconds() - began; }
    } running{find(name)};
    return body();
  }
  void print(const std::string& library) const {
    double first = 0, later = 0;
    std::cout << "\n| " << library << " | first tick, ms | later ticks, ms |\n|---|---|---|\n";
    for (const phase& p : all_) {
      const double mean = p.later / std::max(1, ticks_ - 1);
      std::cout << "| " << p.name << " | " << p.first << " | " << mean << " |\n";
      first += p.first;
      later += mean;
    }
    std::cout << "| all | " << first << " | " << later << " |\n";
  }

 private:
  struct phase {
    std::string name;
    double first = 0, later = 0;
  };
  double& find(const std::string& name) {
    auto at =
        std::find_if(all_.begin(), all_.end(), [&](const phase& p) { return p.name == name; });
    if (at == all_.end()) at = all_.insert(at, {name});
    return ticks_ <= 1 ? at->first : at->later;
  }
  std::vector<phase> all_;
  int ticks_ = 0;
};

// What all libraries must agree on.
struct tick_sums {
  std::int64_t spent = 0, board = 0;
  money held;
  bool operator==(const tick_sums& other) const {
    return spent == other.spent && board == other.board && held.agents == other.held.agents &&
           held.employers == other.held.employers && held.treasury == other.held.treasury;
  }
};

// One tick. `knows_rows`: the library can tell which rows changed since the tick before.
tick_sums play(simulation& colony, fate& fate, phases& clock, bool knows_rows) {
  const std::size_t changes = fate.plan().size.changes();
  const std::vector<number> dead = fate.choose_agents(changes);
  const std::vector<birth> births = fate.replace(dead);
  const std::vector<new_job> jobs = fate.new_jobs(changes / 2);
  const std::vector<new_home> homes = fate.new_homes(changes / 2);
  const std::vector<errand> errands = fate.errands(changes);
  tick_sums sums;
  std::size_t points = 0, commuters = 0, vacant = 0, sent = 0;

  clock.begin_tick();
  clock.time("deaths", [&] { colony.kill(dead); });
  clock.time("births", [&] { colony.give_birth(births); });
  clock.time("new jobs", [&] { colony.change_jobs(jobs); });
  clock.time("new homes", [&] { colony.move_homes(homes); });
  clock.time("aging", [&] { colony.age(); });
  clock.time("wages", [&] { colony.pay_wages(); });
  clock.time("prices", [&] { colony.drift_prices(); });
  clock.time("shopping", [&] { sums.spent = colony.shop(errands); });
  clock.time("taxes", [&] { colony.collect_taxes(); });
  clock.time("allies", [&] { points = colony.reward_allies(); });
  clock.time("commuters", [&] { commuters = colony.count_commuters(); });
  clock.time("vacant", [&] { vacant = colony.count_vacant(); });
  clock.time("leaderboard", [&] { sums.board = colony.leaderboard(); });
  clock.time("changes", [&] { sent = colony.send_changes(); });

  sums.held = colony.count_money();
  expect(colony.population() == fate.plan().size.agents, "the population is not what it was");
  expect(sums.held.sum() == 0, "money was made or lost");
  expect(points == fate.points(), "allies: wrong number of rows");
  expect(commuters == fate.commuters(), "commuters: wrong number of rows");
  expect(vacant == fate.vacant(), "vacant: wrong number of rows");
  if (knows_rows) expect(sent == fate.changed(births), "changes: wrong number of rows");
  return sums;
}

struct library {
  std::string name;
  std::unique_ptr<simulation> (*make)(const world_plan&);
  bool knows_rows;
};

const std::vector<library>& libraries() {
  static const std::vector<library> all{
      {"kith", make_kith_colony, true},
#ifdef KITH_BENCH_FLECS
      {"flecs", make_flecs_colony, false},
#endif
  };
  return all;
}

struct options {
  sizes size;
  int ticks = 20;
  std::uint64_t seed = 7;
  std::string library = "kith";
  bool plans = false;
};

std::vector<tick_sums> play(const library& library, const options& chosen) {
  fate fate(chosen.size, chosen.seed);
  const double before = memory(), began = milliseconds();
  const std::unique_ptr<simulation> colony = library.make(fate.plan());
  colony->send_changes();
  const double built = milliseconds() - began;
  phases clock;
  std::vector<tick_sums> sums;
  for (int tick = 0; tick < chosen.ticks; ++tick)
    sums.push_back(play(*colony, fate, clock, library.knows_rows));
  clock.print(library.name);
  std::cout << "\nbuilt in " << built << " ms; " << memory() - before << " MB\n";
  if (chosen.plans) std::cout << "\n" << colony->plans();
  return sums;
}

int run(const options& chosen) {
  std::cout << std::fixed << std::setprecision(2) << chosen.size.agents << " agents, "
            << chosen.ticks << " ticks\n";
  std::vector<tick_sums> sums;
  bool known = false;
  for (const library& library : libraries()) {
    if (chosen.library != "all" && chosen.library != library.name) continue;
    const std::vector<tick_sums> found = play(library, chosen);
    expect(!known || found == sums, library.name + " comes to other sums");
    sums = found;
    known = true;
  }
  expect(known, "this program was built without " + chosen.library);
  return 0;
}

options read_options(const std::vector<std::string>& arguments) {
  options chosen;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    expect(i + 1 < arguments.size(), "expected a value after " + name);
    const std::string& value = arguments[i + 1];
    if (name == "--agents")
      chosen.size.agents = std::stoul(value);
    else if (name == "--ticks")
      chosen.ticks = std::stoi(value);
    else if (name == "--seed")
      chosen.seed = std::stoul(value);
    else if (name == "--library")
      chosen.library = value;
    else if (name == "--plans")
      chosen.plans = value == "yes";
    else
      throw std::runtime_error("unknown option " + name);
  }
  expect(chosen.size.agents >= 100, "--agents must be at least 100");
  return chosen;
}

}  // namespace
}  // namespace colony

int main(int count, char** arguments) {
  try {
    return colony::run(colony::read_options({arguments + 1, arguments + count}));
  } catch (const std::exception& e) {
    std::cerr << "bench_colony: " << e.what() << "\n";
    return 1;
  }
}
