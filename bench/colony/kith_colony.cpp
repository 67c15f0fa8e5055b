// The colony as a user of kith would write it: relations have the traits that say what they mean,
// and nothing is said about how anything is stored.
#include <algorithm>

#include <kith/kith.hpp>

#include "colony.hpp"

// Outside namespaces with a name, so that texts of queries need no path.
namespace {

struct Agent {};
struct Household {};
struct Age {
  std::int64_t ticks;
};
struct Money {
  std::int64_t cents;
};
struct Fame {
  std::int64_t points;
};
struct TaxRate {
  std::int64_t per_thousand;
};
struct Serial {
  std::int64_t number;
};
struct Home {};        // agent -> house
struct MemberOf {};    // agent -> guild
struct Charter {};     // employer -> guild
struct Based {};       // employer -> town
struct AlliedWith {};  // guild -> guild
struct WorksFor {
  std::int64_t wage;
};  // agent -> employer
struct Sells {
  std::int64_t price;
};  // employer -> good

}  // namespace

namespace colony {
namespace {

class kith_colony final : public simulation {
 public:
  explicit kith_colony(const world_plan& plan) {
    world_.component<Home>().add(kith::Exclusive);
    world_.component<WorksFor>().add(kith::Exclusive);
    world_.component<AlliedWith>().add(kith::Symmetric);
    build_places(plan);
    build_trade(plan);
    for (const agent_plan& agent : plan.agents) agents_.push_back(make_agent(agent));
    make_systems();
    make_queries();
  }

  void kill(std::span<const number> agents) override {
    for (const number n : agents) {
      treasury_ += agents_[n].get<Money>()->cents;
      agents_[n].destruct();
    }
  }

  void give_birth(std::span<const birth> births) override {
    for (const birth& b : births) agents_[b.agent] = make_agent(b.plan);
  }

  void change_jobs(std::span<const new_job> jobs) override {
    for (const new_job& job : jobs)
      agents_[job.agent].set<WorksFor>(employers_[job.employer], {job.wage});
  }

  void move_homes(std::span<const new_home> homes) override {
    for (const new_home& home : homes) agents_[home.agent].add<Home>(houses_[home.home]);
  }

  void age() override { aging_.run(); }
  void pay_wages() override { wages_.run(); }
  void drift_prices() override {
    ++day_;
    prices_.run();
  }

  std::int64_t shop(std::span<const errand> errands) override {
    std::int64_t spent = 0;
    for (const errand& e : errands) {
      const kith::entity good = goods_[e.good];
      kith::entity cheapest;
      std::int64_t least = 0;
      sellers_.each(good, towns_[e.town], [&](kith::entity seller) {
        const std::int64_t price = seller.get<Sells>(good)->price;
        if (cheapest && price >= least) return;
        cheapest = seller;
        least = price;
      });
      if (!cheapest) continue;
      agents_[e.agent].get_mut<Money>()->cents -= least;
      treasury_ += least;
      spent += least;
    }
    return spent;
  }

  void collect_taxes() override { taxes_.run(); }

  std::size_t reward_allies() override {
    points_ = 0;
    allies_.run();
    return points_;
  }

  std::size_t count_commuters() override { return commuters_.count(); }
  std::size_t count_vacant() override { return vacant_.count(); }

  std::int64_t leaderboard() override {
    std::int64_t sum = 0;
    int rank = 0;
    for (kith::iter& it : board_) {
      const auto fame = it.field<const Fame>(0);
      for (const auto row : it)
        if (rank++ < 100) sum += fame[row].points;
      if (rank >= 100) break;
    }
    return sum;
  }

  std::size_t send_changes() override {
    sent_ = 0;
    changes_.run();
    return sent_;
  }

  std::size_t population() override { return world_.count<Agent>(); }

  money count_money() override {
    money all{.treasury = treasury_};
    world_.query<const Money, Agent>().each(
        [&](const Money& money, Agent) { all.agents += money.cents; });
    for (const kith::entity employer : employers_) all.employers += employer.get<Money>()->cents;
    return all;
  }

  std::string plans() override {
    return world_.schedule().str() + "commuters\n" + commuters_.plan() + "vacant\n" +
           vacant_.plan();
  }

 private:
  void build_places(const world_plan& plan) {
    const kith::entity colony = world_.entity();
    for (std::size_t n = 0; n < plan.size.towns; ++n)
      towns_.push_back(world_.entity().child_of(colony).set(TaxRate{plan.tax_of_town[n]}));
    std::vector<kith::entity> districts;
    for (std::size_t n = 0; n < plan.size.districts(); ++n)
      districts.push_back(world_.entity().child_of(towns_[n / 10]));
    for (const number district : plan.district_of_house)
      houses_.push_back(world_.entity().child_of(districts[district]));
    for (const number district : plan.district_of_household)
      households_.push_back(world_.entity().child_of(districts[district]).add<Household>());
  }

  void build_trade(const world_plan& plan) {
    for (std::size_t n = 0; n < plan.size.guilds; ++n) guilds_.push_back(world_.entity());
    for (std::size_t n = 0; n < plan.size.guilds; ++n)
      for (const number ally : plan.allies_of_guild[n]) guilds_[n].add<AlliedWith>(guilds_[ally]);
    for (std::size_t n = 0; n < plan.size.goods; ++n) goods_.push_back(world_.entity());
    for (const employer_plan& employer : plan.employers) {
      const kith::entity e = world_.entity()
                                 .set(Serial{static_cast<std::int64_t>(employers_.size())})
                                 .set(Money{0})
                                 .add<Based>(towns_[employer.town])
                                 .add<Charter>(guilds_[employer.guild]);
      for (const offer& o : employer.offers) e.set<Sells>(goods_[o.good], {o.price});
      employers_.push_back(e);
    }
  }

  kith::entity make_agent(const agent_plan& plan) {
    const kith::entity agent = world_.entity()
                                   .child_of(households_[plan.household])
                                   .add<Agent>()
                                   .set(Age{0})
                                   .set(Money{0})
                                   .set(Fame{0})
                                   .add<Home>(houses_[plan.home])
                                   .set<WorksFor>(employers_[plan.employer], {plan.wage});
    for (const number guild : plan.guilds) agent.add<MemberOf>(guilds_[guild]);
    return agent;
  }

  // The driver decides when each of them runs, so they have no phase.
  void make_systems() {
    aging_ = world_.system<Age>("age").kind(0).each([](Age& age) { ++age.ticks; });
    wages_ = world_.system<Money>("pay wages")
                 .expr("(WorksFor, $e), Money($e)")
                 .kind(0)
                 .each([](kith::iter& it, std::size_t row, Money& money) {
                   const std::int64_t wage = it.field_at<const WorksFor>(1, row).wage;
                   money.cents += wage;
                   it.field_at<Money>(2, row).cents -= wage;
                 });
    prices_ = world_.system<const Serial>("drift prices")
                  .expr("(Sells, *)")
                  .kind(0)
                  .each([this](kith::iter& it, std::size_t row, const Serial& seller) {
                    std::int64_t& price = it.field_at<Sells>(1, row).price;
                    price = std::max<std::int64_t>(1, price + (seller.number + day_) % 3 - 1);
                  });
    taxes_ = world_.system<Money, const TaxRate>("collect taxes")
                 .term_at(1)
                 .src()
                 .up()
                 .kind(0)
                 .each([this](Money& money, const TaxRate& rate) {
                   const std::int64_t tax = money.cents * rate.per_thousand / 1000;
                   money.cents -= tax;
                   treasury_ += tax;
                 });
    allies_ = world_.system<Fame>("reward allies")
                  .expr("(WorksFor, $e), Charter($e, $h), (MemberOf, $g), AlliedWith($g, $h)")
                  .kind(0)
                  .each([this](Fame& fame) {
                    ++fame.points;
                    ++points_;
                  });
    changes_ = world_.system<const Fame>("send changes")
                   .detect_changes()
                   .kind(0)
                   .each([this](kith::iter& it, std::size_t row, const Fame&) {
                     sent_ += it.changed(row);
                   });
  }

  void make_queries() {
    sellers_ = world_.query("(Sells, @good), (Based, @town)");
    commuters_ = world_.query(
        "(Home, $house), ChildOf($house, $district), ChildOf($district, $town), "
        "(WorksFor, $e), Based($e, $town)");
    vacant_ = world_.query("Household, !{ChildOf($who, $this), Agent($who)}");
    board_ = world_.query_builder<const Fame>()
                 .order_by<Fame>([](const Fame& a, const Fame& b) { return a.points > b.points; })
                 .build();
  }

  kith::world world_;
  std::vector<kith::entity> agents_, towns_, houses_, households_, guilds_, goods_, employers_;
  kith::system aging_, wages_, prices_, taxes_, allies_, changes_;
  kith::query<> sellers_, commuters_, vacant_;
  kith::query<const Fame> board_;
  std::int64_t treasury_ = 0, day_ = 0;
  std::size_t points_ = 0, sent_ = 0;  // in this tick
};

}  // namespace

std::unique_ptr<simulation> make_kith_colony(const world_plan& plan) {
  return std::make_unique<kith_colony>(plan);
}

}  // namespace colony
