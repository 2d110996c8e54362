package io.drayage.receive;

import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.DaemonThreads;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.receive.internal.ReceiverLog;
import io.drayage.receive.internal.SegmentsDecoding;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transactor's end of every pipeline: accepts shipments from any number of transports, receives
 * them concurrently, and commits the whole cargoes one after the other.
 *
 * <p>Thread-safe. Owns its codec pool and the commit thread, and ends them when it is closed. Close
 * the transports in front of it first.
 */
public final class CargoReceiver implements ShipmentAcceptor, AutoCloseable {
  private static final long CLOSE_TIMEOUT_S = 10;

  private final ReceiverLimits limits;
  private final CodecPool pool;
  private final DrayageMetrics metrics;
  private final PipelineReceivers pipelines;
  private final ReceiverQuota quota;
  private final ExecutorService commitThread =
      Executors.newSingleThreadExecutor(new DaemonThreads("commit"));

  /** The shipments whose cargo is not whole yet. */
  private final Set<ShipmentSession<?>> receiving = ConcurrentHashMap.newKeySet();

  private final ShipmentSession.Shared<?> shared;

  private volatile @Nullable ShipmentException refusal;

  /**
   * Creates a receiver with the defaults of {@link Builder}.
   *
   * @param committer is called once for each transaction: see {@link TransactionLedger}
   * @param codecThreads number of threads that decode segments
   */
  public CargoReceiver(MemoryCommitter committer, ReceiverLimits limits, int codecThreads) {
    this(builder(committer, limits, codecThreads));
  }

  private CargoReceiver(Builder builder) {
    this.limits = builder.limits;
    this.metrics = builder.metrics;
    this.pipelines = builder.pipelines;
    this.pool = new CodecPool(builder.codecThreads, "decode");
    // Checks now which codecs work: some load a library for that, which an event loop must not do.
    Set<String> unused = limits.codecs().words();
    this.quota = new ReceiverQuota(limits, builder.clockNs);
    this.shared =
        new ShipmentSession.Shared<>(
            pool,
            limits.maxCargoBytes(),
            builder.commits.apply(builder.ledger),
            commitThread,
            metrics,
            receiving::remove);
    metrics.decode().set(Metric.THREADS, builder.codecThreads);
  }

  /**
   * Begins a receiver that records nothing.
   *
   * @param committer is called once for each transaction: see {@link TransactionLedger}
   * @param codecThreads number of threads that decode segments
   */
  public static Builder builder(
      CargoCommitter<ShipmentRecording> committer, ReceiverLimits limits, int codecThreads) {
    return new Builder(
        limits,
        codecThreads,
        ledger ->
            new ShipmentSession.Commits<ShipmentRecording>(
                ledger ? TransactionLedger.around(committer) : committer,
                (header, onFailed) -> ShipmentRecording.NONE));
  }

  /**
   * Begins a receiver that records the frames of every shipment for its committer.
   *
   * @param committer is called for every cargo: it recognizes a repeated transaction itself
   * @param recorder stays the caller's
   * @param codecThreads number of threads that decode segments
   */
  public static <R extends ShipmentRecording> Builder recording(
      CargoCommitter<R> committer,
      ShipmentRecorder<R> recorder,
      ReceiverLimits limits,
      int codecThreads) {
    return new Builder(
        limits, codecThreads, ledger -> new ShipmentSession.Commits<>(committer, recorder));
  }

  /** Optional settings of a receiver. Not thread-safe. */
  public static final class Builder {
    private final ReceiverLimits limits;
    private final int codecThreads;

    /** The committer with its recorder, behind a ledger or without. */
    private final Function<Boolean, ShipmentSession.Commits<?>> commits;

    private boolean ledger = true;
    private DrayageMetrics metrics = new DrayageMetrics();
    private PipelineReceivers pipelines = PipelineReceivers.installed();
    private LongSupplier clockNs = System::nanoTime;

    private Builder(
        ReceiverLimits limits,
        int codecThreads,
        Function<Boolean, ShipmentSession.Commits<?>> commits) {
      this.limits = limits;
      this.codecThreads = codecThreads;
      this.commits = commits;
    }

    /** Counts in {@code counters}. */
    public Builder metrics(DrayageMetrics counters) {
      metrics = counters;
      return this;
    }

    /**
     * Calls the committer for every cargo, also if it has committed the transaction before. The
     * committer recognizes repeats itself, also across restarts, or applies them on purpose, as a
     * benchmark does. Without effect on a committer of recordings, which has no ledger.
     */
    public Builder withoutLedger() {
      ledger = false;
      return this;
    }

    /** Sets the pipelines to receive besides segments; by default all on the class path. */
    public Builder pipelines(PipelineReceivers received) {
      pipelines = received;
      return this;
    }

    /** Sets the clock, which returns the time as {@link System#nanoTime} does. For tests. */
    Builder clock(LongSupplier clock) {
      clockNs = clock;
      return this;
    }

    /** Starts the receiver. */
    public CargoReceiver build() {
      return new CargoReceiver(this);
    }
  }

  /** The metrics of this receiver; also after it was closed. */
  public DrayageMetrics metrics() {
    return metrics;
  }

  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    try {
      ShipmentSession<?> session = newSession(header, replies);
      metrics.shipments().count(Metric.OPENED);
      begin(session);
      return session;
    } catch (ShipmentException e) {
      metrics.addFailed(e.fault());
      throw e;
    } catch (Throwable e) {
      metrics.addFailed(Fault.INTERNAL);
      throw ReceiverLog.unexpected(Fault.INTERNAL, "a shipment cannot be received", header, e);
    }
  }

  private void begin(ShipmentSession<?> session) {
    receiving.add(session);
    if (!session.isReceiving()) {
      // The session failed immediately, before it was added.
      receiving.remove(session);
    }
    ShipmentException refused = refusal;
    if (refused != null) {
      session.failed(refused);
    }
  }

  /**
   * Fails the shipments whose cargo is not whole yet, and from now on every new one. The committer
   * fails the shipments that wait for their commit.
   */
  public void refuse(ShipmentException cause) {
    refusal = cause;
    receiving.forEach(session -> session.failed(cause));
  }

  private ShipmentSession<?> newSession(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    AllowedCodecs.Pair codecs;
    PipelineReceiver other = null;
    try {
      codecs = limits.codecs().require(header);
      if (header.pipeline() != ShipmentHeader.Pipeline.SEGMENTS) {
        other = pipelines.of(header.pipeline());
      }
      limits.codecs().require(header.pipeline());
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw new ShipmentException(Fault.REFUSED, String.valueOf(e.getMessage()), e);
    }
    return new ShipmentSession<>(
        shared,
        header,
        codecs,
        other,
        replies,
        quota.admit(header.transactionId(), AdmissionQueue.Party.of(header)));
  }

  /**
   * Returns the shipments that wait for admission, or whose cargo is not whole yet, oldest first.
   */
  public List<ShipmentProgress> shipments() {
    return Stream.concat(
            quota.waiting().stream(), receiving.stream().map(ShipmentSession::progress))
        .sorted(Comparator.comparing(ShipmentProgress::age).reversed())
        .toList();
  }

  /** Whether a shipment of the transaction is being received or waits for its commit. */
  public boolean isUnderWay(UUID transactionId) {
    return quota.isUnderWay(transactionId);
  }

  /** Number of shipments that are being received or wait for their commit. */
  int shipmentsUnderWay() {
    return quota.shipments();
  }

  /** Bytes of the cargoes that count against {@link ReceiverLimits#maxReceivingBytes}. */
  long receivingBytes() {
    return quota.memoryBytes();
  }

  /**
   * Fails incomplete and later shipments with {@code CANCELLED}, waits for commits that have begun,
   * and ends all threads.
   */
  @Override
  public void close() {
    refuse(SegmentsDecoding.shuttingDown());
    commitThread.shutdown();
    MetricsSnapshot unused = metrics.snapshot(); // Records the CPU time of threads that end now.
    pool.close();
    try {
      if (!commitThread.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
        for (Runnable left : commitThread.shutdownNow()) {
          ((ShipmentSession<?>.Commit) left).drop(SegmentsDecoding.shuttingDown());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
