package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes the primary hand over to another transactor, from outside of both. Waits until the other
 * one has caught up, sends the request to the primary, and waits until the other one accepts
 * cargoes. Not thread-safe.
 */
public final class StepDown {
  private static final long POLL_MS = 50;

  private final Coordination coordination;
  private final Duration patience;
  private final Consumer<String> steps;
  private final Consumer<String> waits;
  private long beganNs;

  /**
   * @param coordination owned by the caller
   * @param patience for each of the three waits
   * @param steps receives a line when another is elected
   * @param waits receives a line now and then while the other has not caught up, and one for each
   *     request that the primary withdraws
   */
  public StepDown(
      Coordination coordination,
      Duration patience,
      Consumer<String> steps,
      Consumer<String> waits) {
    this.coordination = coordination;
    this.patience = patience;
    this.steps = steps;
    this.waits = waits;
  }

  /**
   * Waits until the primary accepts cargoes, and returns it.
   *
   * @throws IOException if there is none in time
   */
  public PrimaryInfo primary() throws IOException, InterruptedException {
    begin();
    return awaitPrimary(0, "no transactor was ever elected");
  }

  /**
   * Makes {@code to} the primary. Repeats the request if the primary withdraws it because the other
   * has fallen behind.
   *
   * @param primary the present primary
   * @return the node that accepts cargoes now; another than {@code to} if that did not stand for
   *     election
   * @throws IOException if {@code to} does not catch up in time; if {@code primary} does not hand
   *     over in time, and stays primary; or if nobody takes over in time
   */
  public PrimaryInfo handOver(PrimaryInfo primary, String to)
      throws IOException, InterruptedException {
    String from = primary.node().name();
    begin();
    awaitCaughtUp(from, to);
    begin();
    PrimaryInfo elected = awaitElected(primary, to);
    steps.accept(
        format(
            "%s hands over: %s is elected, epoch %d",
            from, elected.node().name(), elected.epoch()));
    begin();
    return awaitPrimary(primary.epoch(), format("nobody took over from epoch %d", primary.epoch()));
  }

  private void begin() {
    beganNs = System.nanoTime();
  }

  private void pause(String problem) throws IOException, InterruptedException {
    if (System.nanoTime() - beganNs > patience.toNanos()) {
      throw new IOException(problem + " within " + patience.toSeconds() + " s");
    }
    Thread.sleep(POLL_MS);
  }

  private void awaitCaughtUp(String from, String to) throws IOException, InterruptedException {
    Duration limit = patience.compareTo(CatchUp.LIMIT) < 0 ? patience : CatchUp.LIMIT;
    long published = published();
    while (!CatchUp.await(coordination, to, published, limit)) {
      String where = CatchUp.describe(coordination, to, published);
      if (coordination.progress(to).isEmpty()) {
        throw new IOException("%s: %s stays primary".formatted(where, from));
      }
      waits.accept(where + ": waiting until it has caught up");
      pause("%s stays primary: %s, and it did not catch up".formatted(from, where));
      published = published();
    }
  }

  private long published() throws CoordinationException {
    return coordination.published().map(PublishedSnapshot::timestamp).orElse(0L);
  }

  private PrimaryInfo awaitElected(PrimaryInfo before, String to)
      throws IOException, InterruptedException {
    String from = before.node().name();
    String missing = "%s stays primary: it did not hand over to %s".formatted(from, to);
    String problem = missing;
    coordination.requestHandOver(before.epoch(), to);
    while (true) {
      Optional<PrimaryInfo> found = coordination.primary();
      if (found.isPresent() && found.get().epoch() > before.epoch()) {
        return found.get();
      }
      Optional<HandOver> withdrawn = coordination.handOver().filter(HandOver::isWithdrawn);
      if (withdrawn.isPresent()) {
        String reason = withdrawn.get().reason();
        waits.accept("%s does not hand over to %s yet: %s".formatted(from, to, reason));
        problem = "%s (%s)".formatted(missing, reason);
        awaitCaughtUp(from, to);
        coordination.requestHandOver(before.epoch(), to);
      }
      pause(problem);
    }
  }

  /** Waits for a primary of a later epoch that accepts cargoes, since an elected node may fail. */
  private PrimaryInfo awaitPrimary(long epoch, String problem)
      throws IOException, InterruptedException {
    String missing = problem;
    while (true) {
      Optional<PrimaryInfo> elected = coordination.primary().filter(found -> found.epoch() > epoch);
      if (elected.isPresent()) {
        PrimaryInfo found = elected.get();
        Optional<NodeProgress> progress = coordination.progress(found.node().name());
        if (progress.isPresent() && progress.get().epoch() == found.epoch()) {
          return found;
        }
        missing = found.node().name() + " is elected and has not taken over";
      }
      pause(missing);
    }
  }
}
