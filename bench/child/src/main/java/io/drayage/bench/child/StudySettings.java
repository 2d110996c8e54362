package io.drayage.bench.child;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a run of a study: the only argument of its process, as JSON.
 *
 * @param experiment the only one to run; null for all
 * @param objects number of objects of each experiment; null for the experiment's own number
 * @param isFull whether sizes are as published
 * @param seed the seed of all random choices
 * @param servers the location of the processes that this one connects to
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
   * @param link the link, as results name it
   * @param address the address for connections from this process, an IP address
   * @param prefix the words before a command line that make it run there; may be empty
   */
  public record Servers(String link, String address, List<String> prefix) {
    /** The servers on this host. */
    public static final Servers LOOPBACK = new Servers("loopback", "127.0.0.1", List.of());

    public Servers {
      prefix = List.copyOf(prefix);
    }
  }

  /** Returns these settings with other servers. */
  public StudySettings withServers(Servers others) {
    return new StudySettings(experiment, objects, isFull, seed, others);
  }

  /** Returns the seconds after which the rest of the run is left out. */
  public int budgetSeconds() {
    return isFull ? Integer.MAX_VALUE : BUDGET_S;
  }

  /** Whether an experiment is to run. */
  public boolean wants(String name) {
    return experiment == null || experiment.equals(name);
  }
}
