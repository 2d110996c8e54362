package io.drayage.study;

import static io.drayage.internal.Texts.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a study shall do.
 *
 * @param experiment the only one to run; null for all
 * @param objects how many objects each experiment handles; null for the experiment's own number
 * @param isFull whether sizes are those that were published
 * @param seed what chance depends on
 * @param budgetSeconds when the whole run should be over; what is then left is cut
 * @param servers where processes run that this one talks to
 */
public record StudySettings(
    @Nullable String experiment,
    @Nullable Integer objects,
    boolean isFull,
    long seed,
    int budgetSeconds,
    Servers servers) {
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

  public StudySettings {
    if (objects != null && objects < 1) {
      throw new IllegalArgumentException(format("--objects %,d: at least 1", objects));
    }
    if (budgetSeconds < 1) {
      throw new IllegalArgumentException(format("--budget %,d: at least 1", budgetSeconds));
    }
  }
}
