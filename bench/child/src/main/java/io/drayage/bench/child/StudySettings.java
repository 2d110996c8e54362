package io.drayage.bench.child;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a study shall do: the only argument of its process, as JSON.
 *
 * @param experiment the only one to run; null for all
 * @param objects how many objects each experiment handles; null for the experiment's own number
 * @param isFull whether sizes are those that were published
 * @param seed what chance depends on
 * @param servers where processes run that this one talks to
 */
public record StudySettings(
    @Nullable String experiment,
    @Nullable Integer objects,
    boolean isFull,
    long seed,
    Servers servers) {
  private static final int BUDGET_S = 110;

  /**
   * The other end of a link.
   *
   * @param link what lies between, as results name it
   * @param address where this process reaches them, an IP address
   * @param prefix what stands before a command line so that it runs there; may be empty
   */
  public record Servers(String link, String address, List<String> prefix) {
    /** On this host. */
    public static final Servers LOOPBACK = new Servers("loopback", "127.0.0.1", List.of());

    public Servers {
      prefix = List.copyOf(prefix);
    }
  }

  /** Sets where its servers run. */
  public StudySettings withServers(Servers others) {
    return new StudySettings(experiment, objects, isFull, seed, others);
  }

  /** When the whole run should be over; what is then left is cut. */
  public int budgetSeconds() {
    return isFull ? Integer.MAX_VALUE : BUDGET_S;
  }

  /** Whether an experiment is to run. */
  public boolean wants(String name) {
    return experiment == null || experiment.equals(name);
  }
}
