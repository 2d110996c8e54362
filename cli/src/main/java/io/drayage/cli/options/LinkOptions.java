package io.drayage.cli.options;

import io.drayage.bench.LinkSpeed;
import io.drayage.bench.link.Link;
import io.drayage.bench.link.LinkException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The network link between the processes of a measurement, as picocli fills it in. */
public final class LinkOptions {
  private static final long MIN_BYTES_PER_SECOND = 1_000_000 / Byte.SIZE;
  private static final long MAX_BYTES_PER_SECOND = 100_000_000_000L / Byte.SIZE;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      defaultValue = "loopback",
      description =
          "The network between the processes: loopback, or a link of 1gbit, 10gbit, 20gbit or"
              + " another rate between network namespaces, which needs root and iproute2 (default:"
              + " ${DEFAULT-VALUE}).")
  private LinkSpeed rate = LinkSpeed.LOOPBACK;

  @Option(
      names = "--pin",
      description =
          "Give the workers one half of the cores and the transactor the other. A process then has"
              + " fewer cores, and fewer threads for @cores.")
  private boolean pin;

  /** Returns the text of the user. */
  public String text() {
    return rate.text();
  }

  /** Whether there is no link between the processes. */
  public boolean isLoopback() {
    return rate.isLoopback();
  }

  /** Whether a link may have this rate. */
  public static boolean isPossible(LinkSpeed rate) {
    return !rate.isLoopback()
        && rate.bytesPerSecond() >= MIN_BYTES_PER_SECOND
        && rate.bytesPerSecond() <= MAX_BYTES_PER_SECOND;
  }

  /** Checks the options. */
  public void validate(OptionChecks checks) {
    checks.require(
        rate.isLoopback() || isPossible(rate),
        "--link must be loopback or 1mbit to 100gbit, not '%s'".formatted(rate.text()));
  }

  /**
   * Makes the link.
   *
   * @param workers number of workers
   * @param transactorRate of the transactor's link; null for the rate of the workers
   * @throws LinkException if this machine or this user cannot have such a link
   */
  public Link open(int workers, @Nullable LinkSpeed transactorRate)
      throws IOException, InterruptedException {
    return Link.open(rate, transactorRate, workers, pin);
  }

  /** Makes the link with one rate for all. */
  public Link open(int workers) throws IOException, InterruptedException {
    return open(workers, null);
  }
}
