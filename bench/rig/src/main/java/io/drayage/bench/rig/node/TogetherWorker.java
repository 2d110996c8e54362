package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Committed;
import io.drayage.bench.child.ControlMessages.Loaded;
import io.drayage.bench.child.ControlMessages.Sent;
import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.TransactionRequest;
import io.drayage.send.CargoSender;
import io.drayage.send.SendReport;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A worker's part in a transaction of all workers of a pair: its share and, for the coordinator,
 * the begin and the commit. Not thread-safe.
 */
final class TogetherWorker implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final WorkerNode node;
  private @Nullable DistributedTransaction begun;
  private long beganNs;

  TogetherWorker(WorkerNode node) {
    this.node = node;
  }

  /** Begins the transaction and starts the clock. */
  TransactionHandle open(String name, CargoSender sender) throws IOException, InterruptedException {
    close();
    beganNs = System.nanoTime();
    DistributedTransaction transaction =
        DistributedTransaction.begin(
            new DistributedTransaction.Options(
                name, TransactionRequest.Begin.NEWEST, Duration.ofMinutes(1), PATIENCE),
            node.coordination(),
            address -> node.kept(sender));
    begun = transaction;
    return transaction.handle();
  }

  /** Sends this worker's share. */
  Sent send(TransactionHandle handle, ChangeCargo cargo, CargoSender sender)
      throws IOException, InterruptedException {
    Reports reports = new Reports();
    try (FragmentSender fragments =
        new FragmentSender(handle, node.coordination(), address -> node.kept(sender), PATIENCE)) {
      List<UUID> sent = fragments.send(CargoCutter.cut(cargo, CargoCutter.DEFAULT_BYTES), reports);
      if (reports.stored.size() > sent.size()) {
        throw new IOException("fragments were sent more than once");
      }
      return new Sent(sent, reports.sum());
    }
  }

  /**
   * The sum of the reports of a share's fragments. Each fragment is sent when the one before is on
   * the wire, so the sender waits only for the last one. Thread-safe.
   */
  private static final class Reports implements FragmentSender.Progress {
    private final long startNs = System.nanoTime();
    private final List<SendReport> stored = new ArrayList<>();

    @Override
    public void attempt() {}

    @Override
    public synchronized void stored(SendReport one) {
      stored.add(one);
    }

    /** Returns the sum of all fragments, which are stored now. */
    synchronized SendReport sum() {
      long tookNs = System.nanoTime() - startNs;
      long requestNs = sum(SendReport::requestNs);
      long serializeNs = sum(SendReport::serializeNs);
      long drainNs = sum(SendReport::drainNs);
      long decodeNs = stored.isEmpty() ? 0 : stored.get(stored.size() - 1).decodeNs();
      return new SendReport(
          0,
          sum(SendReport::wireBytes),
          sum(SendReport::frames),
          requestNs,
          serializeNs,
          drainNs,
          decodeNs,
          Math.max(0, tookNs - requestNs - serializeNs - drainNs - decodeNs),
          (int) sum(SendReport::reconnects),
          sum(SendReport::resentBytes));
    }

    private long sum(ToLongFunction<SendReport> figure) {
      return stored.stream().mapToLong(figure).sum();
    }
  }

  /** Commits the shares of all workers, and waits until this worker has loaded the snapshot. */
  Committed commit(List<UUID> fragments) throws IOException, InterruptedException {
    CommitOptions options = node.options();
    long sentNs = System.nanoTime();
    long timestamp =
        Objects.requireNonNull(begun)
            .commit(
                fragments,
                new DistributedTransaction.How(
                    options.acknowledgement(), options.onConflict(), false, null))
            .snapshot();
    long committedNs = System.nanoTime();
    node.awaitLoaded(timestamp);
    long loadedNs = System.nanoTime();
    close();
    long loadNs = loadedNs - committedNs;
    return new Committed(
        timestamp, committedNs - sentNs, new Loaded(0, loadNs, loadedNs - beganNs, loadNs));
  }

  /** Aborts a transaction that is not committed. */
  @Override
  public void close() {
    if (begun != null) {
      begun.close();
      begun = null;
    }
  }
}
