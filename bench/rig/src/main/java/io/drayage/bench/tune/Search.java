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
 * so on until a handful is left. Within a round the settings take turns, so that what changes on
 * the machine meanwhile meets them all.
 *
 * <p>Nothing is dropped that cannot be told from the best of its codec, up to a share of the round.
 * The untuned setting stays to the end, for comparison. A codec whose best is far behind the best
 * of all gets no more runs; one whose untuned setting is, no further setting.
 *
 * <p>Not thread-safe.
 */
final class Search {
  /** A codec so many times slower than the best is behind for good. */
  static final double BEHIND = 1.5;

  /** Slower by less is not worth a more expensive setting. */
  static final double WORTH = 1.03;

  private static final int FINALISTS = 3;

  /** Does the measuring. */
  interface Shipping {
    /**
     * Ships by a setting as often as a turn of the round has it, and adds that to its trial.
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
   * @param turns how often each setting comes
   * @param runs how many runs it then gets
   * @param keep the share of the settings in the next round
   */
  record Round(int turns, int runs, double keep) {
    /** Whether settings keep their connections from turn to turn: there are not many of them. */
    boolean keepsConnections() {
      return runs == 1;
    }
  }

  /**
   * What halving does; the last keeps its finalists whatever the share, and compares them turn by
   * turn.
   */
  static final List<Round> HALVING =
      List.of(
          new Round(1, 2, 0.5), new Round(1, 3, 0.34), new Round(2, 2, 0.34), new Round(8, 1, 1));

  /** What is measured of the untuned settings first: settings change less than codecs do. */
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

  /** How many runs there will be at most, warm-ups not counted. */
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

  /** Measures. To be called once. */
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

  /** The trials of the codecs that are not far behind before they are tuned. */
  private List<List<Trial>> screened(Shipping shipping) throws IOException, InterruptedException {
    List<List<Trial>> first = new ArrayList<>();
    for (int codec = 0; codec < byCodec.size(); codec++) {
      first.add(List.of(untuned(codec)));
    }
    measure(first, SCREENING, "untuned", shipping);
    Optional<Interval> best = best(first);
    List<List<Trial>> left = new ArrayList<>();
    for (int codec = 0; codec < byCodec.size(); codec++) {
      // One that failed may do with other settings.
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

  /** All trials, codec by codec. */
  List<List<Trial>> trials() {
    return List.copyOf(byCodec);
  }

  Trial untuned(int codec) {
    return byCodec.get(codec).stream()
        .filter(trial -> trial.setting().equals(untuned.get(codec)))
        .findFirst()
        .orElseThrow();
  }

  /** The best choice of a codec's trials; empty if none succeeded. */
  static Optional<Trial> choice(List<Trial> trials) {
    return choice(trials, Comparator.comparing(Trial::setting, Setting.CHEAPEST_FIRST));
  }

  /**
   * The best of those that were measured the longest: the fastest; or, of those that cannot be told
   * from it and are not noticeably slower, the cheapest.
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
