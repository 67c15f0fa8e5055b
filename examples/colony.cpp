// A living colony: people are born, work, marry, quarrel, move away and die. In a terminal it runs
// until Ctrl-C on a screen that redraws. Elsewhere it prints one report and ends.
//
//     example_colony                      watch it
//     example_colony --agents 20000       a large one
//     example_colony --schedule           what a frame does, and what may run side by side
//
// Relations say who lives, works and loves where. Systems are queries over these relations, and
// observers write the news. A frame is a quarter of a day; twelve days are a year in a life.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include <kith/kith.hpp>

namespace {

// --- what there is ---

struct Person {
  std::uint64_t number;  // in the order of birth
  const char *first, *family;
  std::string name() const { return std::string(first) + " " + family; }
};
struct Home {
  std::uint64_t number;
  const char* family;
};
struct Workshop {
  std::uint64_t number;
  std::size_t usual_places, places;
  int wage;
};
struct Town {
  std::int64_t treasury, coins;
  int people, jobless;
};
struct Age {
  int days;
};
struct Money {
  std::int64_t coins;
};
struct Adult {};
struct District {};

// Relations. A home is a child of a district, which is a child of a town; so is a workshop.
struct LivesIn {};    // person -> home
struct Likes {};      // person -> person
struct MarriedTo {};  // person -> person
struct FeudsWith {};  // home -> home
struct WorksFor {     // person -> workshop
  int wage;
};

// Singletons.
struct Calendar {
  std::uint64_t seed, quarters;

  std::uint64_t day() const { return quarters / 4; }
  // A random number below `below`. It depends on the question and on whom it is about, not on what
  // was asked before. So any thread may ask at any time.
  std::uint64_t draw(std::uint64_t below, char question, std::uint64_t one,
                     std::uint64_t other = 0) const {
    std::uint64_t bits = seed;
    for (const std::uint64_t part : {quarters, std::uint64_t(question), one, other}) {
      bits = (bits ^ part) * 0x9e3779b97f4a7c15;
      bits ^= bits >> 29;
    }
    return (bits * 0xbf58476d1ce4e5b9 >> 32) % below;
  }
};
struct Census {
  std::uint64_t founders, born, died, last_number;
  std::uint64_t people() const { return founders + born - died; }
};
struct News {
  std::deque<std::string> lines;  // the newest first
};

constexpr int days_of_year = 12, adult_age = 18 * days_of_year, elder_age = 65 * days_of_year;
constexpr const char* towns[] = {"Ashford", "Brightwater", "Cinderhall",
                                 "Dunmore", "Elmswick",    "Foxhollow"};
constexpr const char* trades[] = {"mill", "forge", "bakery", "school", "inn"};
constexpr const char* first_names[] = {"Ada", "Ben",  "Cleo", "Dan",  "Eve",  "Finn", "Greta",
                                       "Jon", "Kate", "Leo",  "Mia",  "Nils", "Olga", "Paul",
                                       "Ray", "Rosa", "Sam",  "Tess", "Uma",  "Vera", "Will"};
constexpr const char* families[] = {"Archer", "Baker",  "Carter", "Draper", "Fisher", "Glover",
                                    "Hunter", "Mason",  "Miller", "Porter", "Sawyer", "Tanner",
                                    "Smith",  "Turner", "Walker", "Weaver"};

// Terms of queries: the home, the district and the town of a person.
constexpr const char* in_town =
    "(LivesIn, $home), ChildOf($home, $district), ChildOf($district, $town)";
// Where people compete the oldest come first.
constexpr auto by_number = [](const Person& a, const Person& b) { return a.number <=> b.number; };

void declare(kith::world& world) {
  world.component<WorksFor>().add(kith::Exclusive);
  // PairIsTag: these pairs have no value, whatever the target is. So no system waits for another
  // one because both name them.
  world.component<LivesIn>().add(kith::Exclusive).add(kith::PairIsTag);
  world.component<Likes>().add(kith::PairIsTag);
  world.component<MarriedTo>().add(kith::Exclusive).add(kith::Symmetric).add(kith::PairIsTag);
  world.component<FeudsWith>().add(kith::Symmetric).add(kith::PairIsTag);
  world.component<Calendar>().add(kith::Singleton);
  world.component<Census>().add(kith::Singleton);
  world.component<News>().add(kith::Singleton);
  // A second of the world is a day here. Systems without a timer run in each frame.
  world.timer("week").rate(7, world.timer("day").interval(1));
  world.entity("Evening").add(kith::Phase).depends_on(kith::OnUpdate);
}

// --- life and death ---

struct nature {
  explicit nature(kith::world& world) {
    const kith::entity day = world.lookup("day");
    world.system<Calendar>("Dawn").kind(kith::OnLoad).each([](Calendar& c) { ++c.quarters; });
    world.system<Age>("Grow").tick_source(day).multi_threaded().each([](Age& a) { ++a.days; });

    // It declares what its callback changes, so it need not run alone.
    world.system<const Age, const Adult*>("Mature")
        .tick_source(day)
        .write<Adult>()
        .write<WorksFor>()
        .each([](kith::entity person, const Age& age, const Adult* is_adult) {
          const bool works = age.days >= adult_age && age.days < elder_age;
          if (works && !is_adult) person.add<Adult>();
          if (!works && is_adult) person.remove<Adult>().remove<WorksFor>(kith::Wildcard);
        });

    // A widow or widower inherits. Pairs with the dead go by themselves.
    world.system<const Person, const Age, const Money, const Calendar>("Die")
        .expr("?(MarriedTo, $spouse)")
        .tick_source(day)
        .order_by<Person>(by_number)
        .each([](kith::iter& it, std::size_t row, const Person& person, const Age& age,
                 const Money& money, const Calendar& calendar) {
          const int years = age.days / days_of_year;
          const unsigned in_10000 = years < 50 ? 3 : years < 65 ? 12 : years < 80 ? 60 : 200;
          if (calendar.draw(10'000, 'd', person.number) >= in_10000) return;
          if (const kith::entity spouse = it.get_var("spouse"))
            spouse.get_mut<Money>()->coins += money.coins;
          it.entity(row).destruct();
        });

    // Couples have more children while there is room for them.
    world.system<const Person, const Age, const Home, const Calendar, Census>("Bear")
        .term_at(2)
        .src("$home")
        .expr("Adult, (MarriedTo, $spouse), Adult($spouse), (LivesIn, $home)")
        .tick_source(day)
        .order_by<Person>(by_number)
        .each([](kith::iter& it, std::size_t, const Person& person, const Age& age,
                 const Home& home, const Calendar& calendar, Census& census) {
          const std::uint64_t chance = 50 * census.founders / (census.people() + 1);
          if (age.days > 45 * days_of_year || calendar.draw(10'000, 'b', person.number) >= chance)
            return;
          const std::uint64_t number = ++census.last_number;
          const char* first = first_names[calendar.draw(std::size(first_names), 'n', number)];
          it.world()
              .entity(Person{number, first, home.family}, Age{0}, Money{0})
              .add<LivesIn>(it.get_var("home"));
        });
  }
};

// --- work and money ---

struct economy {
  explicit economy(kith::world& world) {
    const kith::entity day = world.lookup("day"), week = world.lookup("week");

    // The value of a pair is a value like any other.
    world.system<Money, const WorksFor>("Earn")
        .term_at(1)
        .second("$workshop")
        .multi_threaded()
        .each([](Money& money, const WorksFor& job) { money.coins += job.wage; });

    // The rich spend more. Now and then somebody makes a fortune, or loses half of it.
    world.system<Money, const Person, const Calendar>("Spend").multi_threaded().each(
        [](Money& money, const Person& person, const Calendar& calendar) {
          const std::int64_t luck = std::int64_t(calendar.draw(4'000, 'l', person.number));
          const std::int64_t spent = luck % 11 + money.coins / 200;
          money.coins -= std::min(spent, money.coins);
          if (luck == 0) money.coins += 500 + money.coins / 2;
          if (luck == 1) money.coins /= 2;
        });

    // Each town takes from the rich and gives to the poor.
    world.system<Money, Town>("Tax")
        .term_at(1)
        .src("$town")
        .expr(in_town)
        .tick_source(week)
        .order_by<Person>(by_number)
        .each([](Money& money, Town& town) {
          const bool is_poor = money.coins < 100;
          const std::int64_t gift = std::min<std::int64_t>(100, town.treasury);
          const std::int64_t tax = is_poor ? -gift : money.coins / 40;
          money.coins -= tax;
          town.treasury += tax;
        });

    // Workshops grow and shrink, and what they pay rises and falls.
    world.system<Workshop, const Calendar>("Trade").tick_source(week).each(
        [](Workshop& shop, const Calendar& calendar) {
          const std::size_t luck = calendar.draw(9, 't', shop.number), usual = shop.usual_places;
          const std::size_t step = usual / 16 + 1;
          if (luck % 3 == 0 && shop.places < usual * 3 / 2) shop.places += step;
          if (luck % 3 == 1 && shop.places > usual / 2 + step) shop.places -= step;
          shop.wage = std::clamp(shop.wage + int(luck / 3) - 1, 6, 20);
        });

    // A workshop with too many people lets the youngest go. The system is immediate: what it
    // changes counts for the next row.
    world.system<const Workshop>("Dismiss")
        .term_at(0)
        .src("$workshop")
        .expr("(WorksFor, $workshop)")
        .tick_source(week)
        .order_by<Person>([](const Person& a, const Person& b) { return b.number <=> a.number; })
        .immediate()
        .each([&world](kith::iter& it, std::size_t row, const Workshop& shop) {
          const kith::entity workshop = it.get_var("workshop");
          if (world.count<WorksFor>(workshop) > shop.places)
            it.entity(row).remove<WorksFor>(workshop);
        });

    // Who has no work goes through the workshops of the town, the best paid first.
    const auto workshops =
        world.query_builder<const Workshop>()
            .with("(ChildOf, @town)")
            .order_by<Workshop>([](const auto& a, const auto& b) { return b.wage <=> a.wage; })
            .build();
    world.system<>("Hire")
        .expr("Adult, !(WorksFor, *)")
        .expr(in_town)
        .tick_source(day)
        .order_by<Person>(by_number)
        .immediate()
        .each([&world, workshops](kith::iter& it, std::size_t row) {
          const kith::entity found = workshops.args(it.get_var("town"))
                                         .find([&](kith::entity workshop, const Workshop& shop) {
                                           return world.count<WorksFor>(workshop) < shop.places;
                                         });
          if (found) it.entity(row).set<WorksFor>(found, {found.at<Workshop>().wage});
        });
  }
};

// --- people and their homes ---

struct society {
  explicit society(kith::world& world) {
    const kith::entity day = world.lookup("day"), week = world.lookup("week");
    const kith::entity evening = world.lookup("Evening");

    // Single people of one district meet, and some like each other.
    world.system<const Person, const Person, const Calendar>("Meet")
        .kind(evening)
        .term_at(1)
        .src("$other")
        .expr("Adult, !(MarriedTo, *), (LivesIn, $home), ChildOf($home, $district)")
        .expr("ChildOf($next_door, $district), LivesIn($other, $next_door), Adult($other)")
        .expr("!MarriedTo($other, *), $home != $next_door")
        .tick_source(week)
        .each([](kith::iter& it, std::size_t row, const Person& one, const Person& other,
                 const Calendar& calendar) {
          if (calendar.draw(12, 'm', one.number, other.number) == 0)
            it.entity(row).add<Likes>(it.get_var("other"));
        });

    // Two who like each other marry and found a home. The system is immediate: a row that does not
    // hold any more when its turn comes is left out, so nobody marries twice on one day. The couple
    // moves after the wedding, so that the observer `Reconcile` finds both in their old homes.
    world.system<const Person, Census>("Marry")
        .kind(evening)
        .expr("(Likes, $spouse), Likes($spouse, $this), !(MarriedTo, *), !MarriedTo($spouse, *)")
        .expr(in_town)
        .tick_source(day)
        .order_by<Person>(by_number)
        .immediate()
        .each([&world](kith::iter& it, std::size_t row, const Person& person, Census& census) {
          const kith::entity one = it.entity(row), other = it.get_var("spouse");
          const Home home{++census.last_number, person.family};
          Person spouse = other.at<Person>();
          spouse.family = home.family;
          one.add<MarriedTo>(other);
          other.set(spouse);  // takes the name
          const kith::entity place = world.entity(home).child_of(it.get_var("district"));
          for (const kith::entity e : {one, other})
            e.add<LivesIn>(place).remove<Likes>(kith::Wildcard);
        });

    // Families of one district begin a feud.
    world.system<const Home, const Home, const Calendar>("Quarrel")
        .kind(evening)
        .term_at(1)
        .src("$other")
        .expr("(ChildOf, $district), ChildOf($other, $district)")
        .tick_source(week)
        .each([](kith::iter& it, std::size_t row, const Home& one, const Home& other,
                 const Calendar& calendar) {
          if (one.family != other.family &&
              calendar.draw(8'000, 'q', one.number, other.number) == 0)
            it.entity(row).add<FeudsWith>(it.get_var("other"));
        });

    // Where many have no work families move away. One pair changes, and all of them have moved.
    const auto districts = world.query("District").page(0, world.count<District>());
    world.system<const Person, const Town, const Calendar>("Migrate")
        .kind(evening)
        .term_at(1)
        .src("$town")
        .expr("Adult, !(WorksFor, *)")
        .expr(in_town)
        .tick_source(day)
        .order_by<Person>(by_number)
        .each([districts](kith::iter& it, std::size_t, const Person& person, const Town& here,
                          const Calendar& calendar) {
          const auto there = districts[calendar.draw(districts.size(), 'w', person.number)];
          const Town& other = there.parent().at<Town>();
          if (calendar.draw(20, 'g', person.number) == 0 &&
              other.jobless * here.people < here.jobless * other.people)
            it.get_var("home").child_of(there);
        });
    // Who has moved to another town quits.
    world.system<>("Quit")
        .kind(evening)
        .expr("(WorksFor, $workshop), ChildOf($workshop, $elsewhere), $elsewhere != $town")
        .expr(in_town)
        .tick_source(day)
        .each([](kith::entity person) { person.remove<WorksFor>(kith::Wildcard); });
    // Empty homes go, and their feuds with them.
    world.system<>("Demolish")
        .kind(evening)
        .expr("[in] Home, !{LivesIn($who, $this)}")
        .tick_source(week)
        .each([](kith::entity home) { home.destruct(); });

    // Towns know who lives there.
    world.system<Town>("Forget").kind(kith::OnStore).tick_source(day).each([](Town& town) {
      town.coins = town.people = town.jobless = 0;
    });
    world.system<Town, const Money, const Adult*, const WorksFor*>("Count")
        .kind(kith::OnStore)
        .term_at(0)
        .src("$town")
        .term_at(3)
        .second("$workshop")
        .expr(in_town)
        .tick_source(day)
        .each([](Town& town, const Money& money, const Adult* is_adult, const WorksFor* job) {
          ++town.people;
          town.coins += money.coins;
          town.jobless += is_adult && !job;
        });
  }
};

// --- the news ---
//
// Observers hear of every change, whichever system makes it.
struct press {
  explicit press(kith::world& world) {
    const auto report = [&world](const std::string& line) {
      auto& lines = world.get_mut<News>()->lines;
      lines.push_front("day " + std::to_string(world.get<Calendar>()->day()) + "  " + line);
      if (lines.size() > 100) lines.pop_back();
    };
    world.observer<const Person>("Births").event(kith::OnAdd).each([=, &world](const Person& p) {
      ++world.get_mut<Census>()->born;
      report(p.name() + " is born");
    });
    world.observer<const Person, const Age>("Deaths")
        .event(kith::OnRemove)
        .each([=, &world](kith::iter& it, std::size_t, const Person& person, const Age& age) {
          if (it.event_cause() == kith::event_cause::world_ends) return;
          ++world.get_mut<Census>()->died;
          report(person.name() + " dies at " + std::to_string(age.days / days_of_year));
        });
    // A marriage is two rows, since MarriedTo is Symmetric. So is a feud.
    world.observer<const Person>("Weddings")
        .expr("(MarriedTo, $spouse)")
        .event(kith::OnAdd)
        .each([=](kith::iter& it, std::size_t, const Person& person) {
          const Person& spouse = it.get_var("spouse").at<Person>();
          if (person.number < spouse.number) report(person.name() + " marries " + spouse.name());
        });
    world.observer<const Person, const WorksFor>("Jobs")
        .term_at(1)
        .second("$workshop")
        .event(kith::OnAdd)
        .each([=](kith::iter& it, std::size_t, const Person& person, const WorksFor& job) {
          report(person.name() + " earns " + std::to_string(job.wage) + " at " +
                 it.get_var("workshop").path(" "));
        });
    world.observer<const Home>("Farewells")
        .expr("(ChildOf, $district), ChildOf($district, $town)")
        .event(kith::OnRemove)
        .each([=](kith::iter& it, std::size_t, const Home& home) {
          if (it.event_cause() == kith::event_cause::replaced)
            report(std::string("The ") + home.family + "s leave " + it.get_var("town").path());
        });
    world.observer<const Home>("Feuds")
        .expr("(FeudsWith, $other)")
        .event(kith::OnAdd)
        .event(kith::OnRemove)
        .each([=](kith::iter& it, std::size_t, const Home& one) {
          const Home& other = it.get_var("other").at<Home>();
          const bool begins = it.event() == kith::OnAdd;
          if (one.number < other.number &&
              (begins || it.event_cause() == kith::event_cause::removed))
            report(std::string(one.family) + "s and " + other.family +
                   (begins ? "s begin a feud" : "s end their feud"));
        });
    // A wedding of two families ends their feud.
    world.observer<>("Reconcile")
        .expr("(MarriedTo, $spouse), (LivesIn, $home), LivesIn($spouse, $other)")
        .expr("FeudsWith($home, $other)")
        .event(kith::OnAdd)
        .each([](kith::iter& it, std::size_t) {
          it.get_var("home").remove<FeudsWith>(it.get_var("other"));
        });
  }
};

// --- the first day ---

void found(kith::world& world, std::uint64_t people, std::uint64_t seed) {
  const Calendar calendar{seed, 0};
  Census census{.founders = people, .born = 0, .died = 0, .last_number = 0};
  std::vector<kith::entity> districts;
  for (const std::string name : towns) {
    const kith::entity town = world.entity(name).set(Town{});
    for (const std::string trade : trades) {
      const std::uint64_t number = ++census.last_number;
      const std::size_t places = people / 64 + 1;
      const int wage = 8 + int(calendar.draw(9, 't', number));
      world.entity(name + "::" + trade).set(Workshop{number, places, places, wage});
    }
    for (std::uint64_t n = 0; n < people / 300 + 1; ++n)
      districts.push_back(world.entity().child_of(town).add<District>());
  }
  kith::entity home, before;
  for (std::uint64_t n = 0; n < people; ++n) {
    const std::uint64_t number = ++census.last_number;
    const auto draw = [&](std::uint64_t below, char what) {
      return calendar.draw(below, what, number);
    };
    if (n % 4 == 0)
      home = world.entity(Home{number, families[draw(std::size(families), 'f')]})
                 .child_of(districts[draw(districts.size(), 'w')]);
    const bool is_parent = n % 4 < 2;
    const int years = int(is_parent ? 18 + draw(60, 'a') : draw(18, 'a'));
    const char* first = first_names[draw(std::size(first_names), 'n')];
    const kith::entity person =
        world
            .entity(Person{number, first, home.get<Home>()->family}, Age{years * days_of_year},
                    Money{std::int64_t(draw(800, 'l'))})
            .add<LivesIn>(home);
    if (n % 4 == 1) person.add<MarriedTo>(before);
    before = person;
  }
  world.set(calendar);
  world.set(census);
  world.set(News{});
}

// --- the screen ---

struct view {
  std::size_t width, height;
  bool plain;

  std::string paint(const std::string& text, const char* colour) const {
    return plain ? text : "\033[" + std::string(colour) + "m" + text + "\033[0m";
  }
  std::string bar(std::size_t length, const char* colour) const {
    std::string text;
    while (length-- > 0) text += plain ? "#" : "█";
    return paint(text, colour);
  }
};
constexpr const char *bold = "1", *dim = "2", *red = "31", *green = "32", *yellow = "33";

// The first columns of a line, and blanks if it has less. Escape codes take no column.
std::string fit(std::string_view line, std::size_t columns) {
  std::string kept;
  bool in_code = false;
  for (const char c : line) {
    in_code = in_code || c == '\033';
    const bool is_column = !in_code && (c & 0xc0) != 0x80;
    if (is_column && columns == 0) break;
    columns -= is_column;
    in_code = in_code && c != 'm';
    kept += c;
  }
  return kept + std::string(columns, ' ');
}
// 12345 as 12,345, with blanks before it.
std::string digits(std::uint64_t number, std::size_t width = 0) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text.insert(0, width - std::min(width, text.size()), ' ');
}

const char* colour_of(const std::string& news) {
  using rule = std::pair<const char*, const char*>;
  for (const auto& [word, colour] :
       {rule{"born", green}, rule{"dies", dim}, rule{"marries", yellow}, rule{"feud", red}})
    if (news.find(word) != news.npos) return colour;
  return "0";
}

using richest_query = kith::query<const Money, const Person>;

std::vector<std::string> draw(kith::world& world, const richest_query& richest, const view& v,
                              const std::string& pace) {
  const Census& census = *world.get<Census>();
  const std::uint64_t day = world.get<Calendar>()->day();
  std::vector<std::string> lines{
      v.paint("Colony", bold) + "  day " + digits(day) + ", year " + digits(day / days_of_year) +
          "  " + v.paint(digits(census.people()) + " people", bold) + ", " + digits(census.born) +
          " born, " + digits(census.died) + " died  " + v.paint(pace, dim),
      ""};
  int most = 1;
  const auto all_towns = world.query<const Town>();
  all_towns.each([&](const Town& town) { most = std::max(most, town.people); });
  all_towns.each([&](kith::entity e, const Town& town) {
    const std::size_t longest = v.width > 70 ? v.width - 60 : 10;
    const auto length = [&](int of) { return std::size_t(of) * longest / std::size_t(most); };
    const std::size_t all = length(town.people), idle = length(town.jobless);
    const std::uint64_t each = std::uint64_t(town.coins / std::max(1, town.people));
    lines.push_back(fit(e.name(), 12) + v.bar(all - idle, green) + v.bar(idle, red) +
                    std::string(longest - all, ' ') + digits(std::uint64_t(town.people), 7) +
                    " people" + digits(std::uint64_t(town.jobless), 6) + " jobless" +
                    digits(each, 7) + " coins each");
  });
  lines.emplace_back();

  std::vector<std::string> left{v.paint("The richest", bold)}, right{v.paint("News", bold)};
  for (kith::iter& it : richest) {
    for (auto row = it.begin(); row != it.end() && left.size() <= 10; ++row) {
      const kith::entity shop = it.entity(*row).target<WorksFor>();
      left.push_back(
          digits(left.size(), 2) + " " + fit(it.field<const Person>(1)[*row].name(), 13) +
          v.paint(digits(std::uint64_t(it.field<const Money>(0)[*row].coins), 7), yellow) +
          v.paint("  " + (shop ? shop.path(" ") : "no work"), dim));
    }
    if (left.size() > 10) break;
  }
  const auto& news = world.get<News>()->lines;
  for (const std::string& line : news) right.push_back(v.paint(line, colour_of(line)));

  // Side by side, or below each other on a narrow screen. The last line is for the help.
  const std::size_t space = v.height - std::min(v.height, lines.size() + 1);
  const std::size_t column = v.width >= 100 ? 46 : v.width >= 70 ? 25 : 0;
  if (column == 0) {
    left.resize(std::min(left.size(), std::max<std::size_t>(4, space / 2)));
    left.emplace_back();
    left.insert(left.end(), right.begin(), right.end());
    right.clear();
  }
  left.resize(std::max(left.size(), right.size()));
  right.resize(left.size());
  for (std::size_t n = 0; n < std::min(space, left.size()); ++n)
    lines.push_back(column ? fit(left[n], column) + right[n] : left[n]);
  return lines;
}

// While this lives the terminal shows another screen, without a cursor.
class terminal {
 public:
  terminal() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      std::signal(number, [](int) { is_stopped = 1; });
    put("\033[?1049h\033[?25l");
  }
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() { put("\033[?25h\033[?1049l"); }

  static view size() {
    winsize size{};
    const bool knows = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
    return knows ? view{size.ws_col, size.ws_row, false} : view{80, 24, false};
  }
  // One write for all of it, so that the screen never shows half a picture.
  void show(std::vector<std::string> lines, const view& v) const {
    lines.resize(v.height);
    lines.back() = v.paint("Ctrl-C ends   red: no work   other colonies: --help", dim);
    std::string text = "\033[H";
    for (std::size_t n = 0; n < lines.size(); ++n)
      text += (n ? "\r\n" : "") + fit(lines[n], v.width) + "\033[0m";
    put(text);
  }

  static inline volatile std::sig_atomic_t is_stopped = 0;

 private:
  static void put(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
      if (count < 0 && errno != EINTR) return;
      if (count > 0) text.remove_prefix(std::size_t(count));
    }
  }
};

// --- the program ---

constexpr const char* usage = R"(usage: example_colony [options]
  --agents N    so many people in the beginning (600)
  --days N      end after so many days; without a terminal after 360
  --seed N      another colony (1)
  --threads N   systems run on so many threads; the colony is the same (1)
  --plain       one report at the end, as without a terminal
  --schedule    print what a frame does, and end
  -h, --help    print this, and end
)";

struct options {
  std::uint64_t agents = 600, days = 0, seed = 1, threads = 1;
  bool plain = !isatty(STDOUT_FILENO), schedule = false, help = false;
};

// Ends the program if an option is wrong.
options read_options(int count, char** words) {
  options o;
  const std::map<std::string_view, std::uint64_t*> numbers{
      {"--agents", &o.agents}, {"--days", &o.days}, {"--seed", &o.seed}, {"--threads", &o.threads}};
  const std::map<std::string_view, bool*> switches{
      {"--plain", &o.plain}, {"--schedule", &o.schedule}, {"--help", &o.help}, {"-h", &o.help}};
  for (int n = 1; n < count; ++n) {
    bool is_right = switches.contains(words[n]);
    if (is_right) {
      *switches.at(words[n]) = true;
    } else if (numbers.contains(words[n]) && n + 1 < count) {
      std::uint64_t& number = *numbers.at(words[n]);
      const std::string_view text = words[++n];
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      is_right = error == std::errc() && end == text.data() + text.size() && number >= 1 &&
                 number <= (&number == &o.threads ? 64 : 1'000'000);
    }
    if (is_right) continue;
    std::cerr << "example_colony: '" << words[n] << "' is no option or not its number\n" << usage;
    std::exit(64);
  }
  return o;
}

}  // namespace

int main(int count, char** words) {
  const options o = read_options(count, words);
  if (o.help) {
    std::cout << usage;
    return 0;
  }

  kith::world world;
  declare(world);
  found(world, o.agents, o.seed);
  world.import <nature>();
  world.import <economy>();
  world.import <society>();
  world.import <press>();
  if (o.schedule) {
    std::cout << world.schedule();
    return 0;
  }
  if (o.threads > 1) world.set_threads(unsigned(o.threads));
  const auto richest =
      world.query_builder<const Money, const Person>()
          .order_by<Money>([](const Money& a, const Money& b) { return b.coins <=> a.coins; })
          .build();

  const auto has_days_left = [&, last = o.days || !o.plain ? o.days : 360] {
    return last == 0 || world.get<Calendar>()->day() < last;
  };
  if (o.plain) {
    while (has_days_left()) world.progress(0.25f);
  } else {
    using std::chrono::steady_clock, std::chrono::milliseconds;
    const terminal screen;
    double pace = 0;  // a moving average of milliseconds
    for (auto next = steady_clock::now(); has_days_left() && !terminal::is_stopped;) {
      const auto begin = steady_clock::now();
      world.progress(0.25f);
      const std::chrono::duration<double, std::milli> taken = steady_clock::now() - begin;
      pace += (taken.count() - pace) / 20;
      const view v = terminal::size();
      screen.show(draw(world, richest, v, std::to_string(pace).substr(0, 4) + " ms a frame"), v);
      next = std::max(next + milliseconds(50), steady_clock::now());
      std::this_thread::sleep_until(next);
    }
  }
  const view last = o.plain ? view{100, 24, true} : terminal::size();
  for (std::string line : draw(world, richest, {last.width, last.height, true}, "")) {
    line = fit(line, last.width);
    std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
  }
}
