package io.drayage.bench.tune;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.statistics.Interval;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Successive halving: every setting gets a few runs, the better half of each codec some more, and
 * so on until a handful is left. The settings of a round alternate, so that a change of the machine
 * meets all.
 *
 * <p>A setting that cannot be distinguished from the best of its codec stays, up to a share of the
 * round. The untuned setting stays to the end, for comparison. A codec whose best is far behind the
 * best of all is dropped. If a codec's untuned setting is far behind, no other one is tried.
 *
 * <p>Not thread-safe.
 */
final class Search {
  /** A codec that is slower than the best by this factor is far behind. */
  static final double BEHIND = 1.5;

  /** A smaller speed-up is not worth a more expensive setting. */
  static final double WORTH = 1.03;

  private static final int FINALISTS = 3;

  /** Measures a setting. */
  interface Shipping {
    /**
     * Ships once for each run of the turn, and adds the runs to the trial.
     *
     * @param turn of the round, from 0
     * @param what the round, for people
     */
    void ship(Trial trial, Round round, int turn, String what)
        throws IOException, InterruptedException;
  }

  /**
   * One round.
   *
   * @param turns of each setting
   * @param runs in each turn
   * @param keep the share of the settings in the next round
   */
  record Round(int turns, int runs, double keep) {
    /** Checks whether settings keep their connections between turns, because they are few. */
    boolean keepsConnections() {
      return runs == 1;
    }
  }

  /**
   * The rounds of halving. The last one keeps its finalists whatever the share, and compares them
   * turn by turn.
   */
  static final List<Round> HALVING =
      List.of(
          new Round(1, 2, 0.5), new Round(1, 3, 0.34), new Round(2, 2, 0.34), new Round(8, 1, 1));

  /** The first round, of the untuned settings: settings change less than codecs do. */
  private static final Round SCREENING = new Round(1, 3, 1);

  /** A full sweep: all settings get as many runs as a finalist. */
  static final List<Round> SWEEP = List.of(new Round(3, 3, 1));

  private final List<List<Trial>> byCodec = new ArrayList<>();
  private final List<Setting> untuned = new ArrayList<>();
  private final List<Round> rounds;

  Search(Grid grid, List<String> codecs, List<Round> rounds) {
    this.rounds = rounds;
    for (String codec : codecs) {
      byCodec.add(grid.of(codec).stream().map(Trial::new).toList());
      untuned.add(grid.untuned(codec));
    }
  }

  /** Returns the largest possible number of runs, without warm-ups. */
  int maxRuns() {
    int runs = isScreened() ? byCodec.size() * SCREENING.runs() : 0;
    for (List<Trial> trials : byCodec) {
      int left = trials.size();
      for (Round round : rounds) {
        runs += left * round.turns() * round.runs();
        left = Math.min(left, 1 + keep(left, round)); // The untuned one stays.
      }
    }
    return runs;
  }

  private static int keep(int count, Round round) {
    return Math.min(count, Math.max(FINALISTS, (int) Math.ceil(count * round.keep())));
  }

  /** Measures. Must be called once only. */
  void run(Shipping shipping) throws IOException, InterruptedException {
    List<List<Trial>> left = isScreened() ? screened(shipping) : byCodec;
    for (int i = 0; i < rounds.size(); i++) {
      Round round = rounds.get(i);
      String what = format("round %d of %d", i + 1, rounds.size());
      left.forEach(trials -> trials.forEach(Trial::beginRound));
      measure(left, round, what, shipping);
      left = round.keep() < 1 ? survivors(left, round) : left;
    }
  }

  private boolean isScreened() {
    return rounds.size() > 1;
  }

  /** Returns the trials of the codecs that are not far behind before they are tuned. */
  private List<List<Trial>> screened(Shipping shipping) throws IOException, InterruptedException {
    List<List<Trial>> first = new ArrayList<>();
    for (int codec = 0; codec < byCodec.size(); codec++) {
      first.add(List.of(untuned(codec)));
    }
    measure(first, SCREENING, "untuned", shipping);
    Optional<Interval> best = best(first);
    List<List<Trial>> left = new ArrayList<>();
    for (int codec = 0; codec < byCodec.size(); codec++) {
      // A codec that failed may work with other settings.
      Trial trial = untuned(codec);
      boolean behind = trial.isOk() && isBehind(trial, best);
      left.add(behind ? List.of() : byCodec.get(codec));
    }
    return left;
  }

  private static void measure(List<List<Trial>> left, Round round, String what, Shipping shipping)
      throws IOException, InterruptedException {
    for (int turn = 0; turn < round.turns(); turn++) {
      for (List<Trial> trials : left) {
        for (Trial trial : trials) {
          if (trial.error() == null) {
            shipping.ship(trial, round, turn, what);
          }
        }
      }
    }
  }

  private static Optional<Interval> best(List<List<Trial>> all) {
    return all.stream()
        .flatMap(List::stream)
        .filter(Trial::isOk)
        .map(Trial::spread)
        .min(Comparator.comparingDouble(Interval::estimate));
  }

  private static boolean isBehind(Trial trial, Optional<Interval> best) {
    return best.isEmpty() || trial.spread().low() > BEHIND * best.get().high();
  }

  private List<List<Trial>> survivors(List<List<Trial>> all, Round round) {
    Optional<Interval> best = best(all);
    List<List<Trial>> survivors = new ArrayList<>();
    for (List<Trial> trials : all) {
      List<Trial> ranked =
          trials.stream()
              .filter(Trial::isOk)
              .sorted(Comparator.comparingDouble(Trial::median))
              .toList();
      boolean behind = ranked.isEmpty() || isBehind(ranked.get(0), best);
      survivors.add(behind ? List.of() : survivorsOf(ranked, keep(trials.size(), round)));
    }
    return survivors;
  }

  private List<Trial> survivorsOf(List<Trial> ranked, int count) {
    List<Trial> kept = new ArrayList<>(ranked.subList(0, Math.min(count, ranked.size())));
    ranked.stream()
        .filter(trial -> untuned.contains(trial.setting()) && !kept.contains(trial))
        .forEach(kept::add);
    return List.copyOf(kept);
  }

  /** Returns all trials, codec by codec. */
  List<List<Trial>> trials() {
    return List.copyOf(byCodec);
  }

  Trial untuned(int codec) {
    return byCodec.get(codec).stream()
        .filter(trial -> trial.setting().equals(untuned.get(codec)))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the best choice of a codec's trials; empty if none succeeded. */
  static Optional<Trial> choice(List<Trial> trials) {
    return choice(trials, Comparator.comparing(Trial::setting, Setting.CHEAPEST_FIRST));
  }

  /**
   * Returns the cheapest of the trials that were measured longest and are the fastest, or cannot be
   * distinguished from the fastest and are not noticeably slower.
   */
  static Optional<Trial> choice(List<Trial> trials, Comparator<Trial> cheapestFirst) {
    int rounds = trials.stream().filter(Trial::isOk).mapToInt(Trial::rounds).max().orElse(0);
    List<Trial> finalists =
        trials.stream().filter(trial -> trial.isOk() && trial.rounds() == rounds).toList();
    return finalists.stream()
        .min(Comparator.comparingDouble(Trial::median))
        .flatMap(
            fastest ->
                finalists.stream()
                    .filter(trial -> trial.isLike(fastest))
                    .filter(trial -> trial.median() <= WORTH * fastest.median())
                    .min(cheapestFirst.thenComparing(Trial::median)));
  }
}
