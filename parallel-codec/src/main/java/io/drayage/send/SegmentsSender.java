package io.drayage.send;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.Names;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.transport.Backoff;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ships cargoes as independent segments, which all threads of a codec pool encode at once. If the
 * transport can resume a shipment, the sender reconnects after a loss until the transactor's resume
 * window is over, and sends only the frames that did not arrive.
 *
 * <p>Memory beyond the cargo is bounded: every frame is encoded into a leased buffer. All leases of
 * this sender are charged to one {@link ByteBudget}, and every shipment has a share of it. A
 * shipment that has used up its share waits, without a codec thread. So a slow wire or receiver
 * slows down only the encoding of its own shipment.
 */
public final class SegmentsSender implements CargoSender {
  /** Bytes of encoded segments that may wait for the wire, unless the threads need more. */
  public static final long BUDGET_BYTES = 8 << 20;

  /** Minimum target for the raw bytes of a segment. */
  public static final int MIN_SEGMENT_BYTES = 64 << 10;

  /**
   * Maximum values of a cargo that is planned early. A larger cargo is planned after its
   * acceptance, because texts take a while, and uses all the credit that a shipment may have.
   */
  private static final long MAX_VALUES_OF_SMALL = 1 << 20;

  /** Maximum pause between two attempts, so that freed room is used soon. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  /** Maximum target for the raw bytes of a segment. */
  public static final int MAX_SEGMENT_BYTES = Segment.MAX_RAW_BYTES;

  private final TransportClient client;
  private final CodecPool pool;
  private final Serializer serializer;
  private final Compressor compressor;
  private final String worker;
  private final int segmentBytes;
  private final DrayageMetrics metrics;
  private final SegmentPlanner planner;
  private final BufferPool buffers;
  private final LinkRate link;

  /** Creates a sender of segments of {@link SegmentPlanner#DEFAULT_SEGMENT_BYTES}. */
  public SegmentsSender(
      TransportClient client,
      CodecPool pool,
      Serializer serializer,
      Compressor compressor,
      String worker) {
    this(
        client,
        pool,
        serializer,
        compressor,
        worker,
        SegmentPlanner.DEFAULT_SEGMENT_BYTES,
        new DrayageMetrics());
  }

  /**
   * Creates a sender over {@code client}, which it owns and closes. The pool stays the caller's.
   *
   * @param worker names this sender in the transactor's messages
   * @param segmentBytes approximate raw bytes of a segment; less for a serializer that cannot
   *     encode as many, see {@link Serializer#maxSegmentBytes}
   * @param metrics counts the sending
   * @throws IllegalArgumentException if {@code segmentBytes} is outside {@link #MIN_SEGMENT_BYTES}
   *     to {@link #MAX_SEGMENT_BYTES}, or the name cannot be shipped
   */
  public SegmentsSender(
      TransportClient client,
      CodecPool pool,
      Serializer serializer,
      Compressor compressor,
      String worker,
      int segmentBytes,
      DrayageMetrics metrics) {
    this(
        client,
        pool,
        serializer,
        compressor,
        worker,
        segmentBytes,
        budget(pool, segmentBytes),
        metrics);
  }

  /** Returns a budget of one buffer for each thread to fill, and as many for the wire. */
  private static ByteBudget budget(CodecPool pool, int segmentBytes) {
    return new ByteBudget(
        Math.max(BUDGET_BYTES, 2L * pool.threadCount() * bufferBytes(segmentBytes)));
  }

  /** Bytes of a buffer: a quarter more, for validity bits of a segment of bytes, and headers. */
  private static int bufferBytes(int segmentBytes) {
    return segmentBytes * 5 / 4;
  }

  SegmentsSender(
      TransportClient client,
      CodecPool pool,
      Serializer serializer,
      Compressor compressor,
      String worker,
      int segmentBytes,
      ByteBudget budget,
      DrayageMetrics metrics) {
    if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          format(
              "segments of %,d bytes are outside %,d to %,d",
              segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES));
    }
    Names.check("worker", worker, ShipmentHeader.MAX_WORKER_CHARS);
    this.client = client;
    this.pool = pool;
    this.serializer = serializer;
    this.compressor = compressor;
    this.worker = worker;
    this.segmentBytes = Math.min(segmentBytes, serializer.maxSegmentBytes());
    this.metrics = metrics;
    metrics.encode().set(Metric.THREADS, pool.threadCount());
    this.planner = new SegmentPlanner(this.segmentBytes);
    this.buffers = new BufferPool(bufferBytes(segmentBytes), budget);
    this.link =
        new LinkRate(client.linkBytesPerSecond(), metrics.outbound()::snapshot, System::nanoTime);
  }

  @Override
  public SendReport send(ChangeCargo cargo, SendOptions options)
      throws ShipmentException, InterruptedException {
    ShipmentHeader header =
        new ShipmentHeader(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            ShipmentHeader.Pipeline.SEGMENTS,
            serializer.id(),
            compressor.id(),
            options.commit(),
            worker);
    try (SendDeadline deadline = new SendDeadline(options)) {
      Call call = new Call(cargo, header, deadline, options.whenSent());
      Backoff pauses = new Backoff(deadline.patience(), LONGEST_PAUSE);
      long beganNs = System.nanoTime();
      boolean mayBeSmall = CargoSize.valueCount(cargo) <= MAX_VALUES_OF_SMALL;
      FramePlan early = mayBeSmall ? planEarly(cargo) : null;
      long preparedNs = System.nanoTime() - beganNs;
      while (true) {
        try {
          return attempt(call, early, preparedNs);
        } catch (OutgrownException e) {
          early = null;
          preparedNs = 0;
        } catch (ShipmentException e) {
          // Other temporary faults, such as a peer that is gone, are for the caller to retry.
          call.note(e);
          if (!call.mayRepeat(e) || !call.pause(pauses)) {
            throw e.ofAllAttempts(call.isUncertain);
          }
        }
      }
    }
  }

  /** One call of {@link #send}, with any number of attempts. */
  private static final class Call {
    private final ChangeCargo cargo;
    private final ShipmentHeader header;
    private final SendDeadline deadline;
    private final Runnable whenSent;

    /** Whether the transactor has accepted the last attempt. */
    private boolean isAccepted;

    /** Whether an attempt may have taken effect. */
    private boolean isUncertain;

    Call(ChangeCargo cargo, ShipmentHeader header, SendDeadline deadline, Runnable whenSent) {
      this.cargo = cargo;
      this.header = header;
      this.deadline = deadline;
      this.whenSent = whenSent;
    }

    /** Notes the failure of the last attempt. */
    void note(ShipmentException failure) {
      isUncertain |= failure.outcome() == ShipmentException.Outcome.UNKNOWN;
    }

    /** Whether the last attempt was refused because there was no room. */
    boolean mayRepeat(ShipmentException failure) {
      boolean isUnknown = failure.outcome() == ShipmentException.Outcome.UNKNOWN;
      return failure.fault() == Fault.BUSY && !(isUnknown && isAccepted);
    }

    boolean pause(Backoff pauses) throws ShipmentException, InterruptedException {
      try {
        return pauses.pause();
      } catch (InterruptedException e) {
        if (!isUncertain) {
          throw e;
        }
        Thread.currentThread().interrupt();
        throw new ShipmentException(Fault.CANCELLED, "interrupted", e).ofAllAttempts(true);
      }
    }
  }

  private SendReport attempt(Call call, @Nullable FramePlan early, long preparedNs)
      throws ShipmentException, InterruptedException, OutgrownException {
    ShipmentTimer timer = new ShipmentTimer(metrics, preparedNs);
    try {
      return send(call, timer.traced(call.header), early, timer);
    } catch (OutgrownException e) {
      ShipmentException unused = timer.failed(e.loss);
      throw e;
    } catch (ShipmentException e) {
      throw timer.failed(e);
    } catch (InterruptedException e) {
      throw timer.interrupted(e);
    } catch (RuntimeException | Error e) {
      ShipmentException end = timer.failed(ShipmentException.of(e));
      if (end.outcome() == ShipmentException.Outcome.UNKNOWN) {
        throw end;
      }
      throw e;
    }
  }

  /**
   * @param header the header of the call, with its trace
   * @param early the plan, if the cargo may be so small that the shipment needs less than its
   *     maximum credit; null if there is no plan yet
   */
  private SendReport send(
      Call call, ShipmentHeader header, @Nullable FramePlan early, ShipmentTimer timer)
      throws ShipmentException, InterruptedException, OutgrownException {
    long creditBytes = early == null ? 0 : early.creditBytes();
    call.isAccepted = false;
    Shipment shipment = client.open(header, creditBytes, call.deadline.patience());
    int reconnects = 0;
    try {
      if (shipment.isAccepted()) {
        timer.markAccepted();
      } else {
        timer.markSentWithRequest();
      }
      call.deadline.watch(shipment);
      SegmentsEncoding encoding =
          new SegmentsEncoding(
              early == null ? plan(call.cargo) : early,
              call.cargo,
              link.serializer(serializer, shipment.store(), pool.threadCount()),
              compressor,
              metrics);
      while (true) {
        try {
          SendReport report = ship(shipment, encoding, timer, call.whenSent);
          return report.withResumes(reconnects, encoding.resentBytes());
        } catch (ShipmentException loss) {
          if (encoding.isOutgrown()) {
            throw new OutgrownException(loss);
          }
          shipment = call.deadline.watch(resume(shipment, header, loss, call.deadline));
          encoding.resume(shipment.received());
          reconnects++;
          metrics.shipments().count(Metric.RECONNECTS);
        }
      }
    } finally {
      call.isAccepted = shipment.isAccepted();
      shipment.close();
    }
  }

  /** Plans a cargo, and counts a failure, since there is no timer yet that would count it. */
  private FramePlan planEarly(ChangeCargo cargo) throws ShipmentException {
    try {
      return plan(cargo);
    } catch (ShipmentException | RuntimeException | Error e) {
      metrics.addFailed(ShipmentException.of(e).fault());
      throw e;
    }
  }

  /** Plans a cargo on the caller's thread, which creates the pages of texts on demand. */
  private FramePlan plan(ChangeCargo cargo) throws ShipmentException {
    try {
      return FramePlan.of(planner.plan(cargo), segmentBytes);
    } catch (IllegalArgumentException e) {
      throw e; // The contract allows this exception for a text that is too long.
    } catch (Throwable e) { // A source of values on demand may throw anything.
      throw SenderLog.unexpected("a cargo cannot be planned", e);
    }
  }

  /** The cargo needs the credit of a large one. Nothing of the cargo has taken effect. */
  private static final class OutgrownException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    private final ShipmentException loss;

    OutgrownException(ShipmentException loss) {
      super(loss);
      this.loss = loss;
    }
  }

  private SendReport ship(
      Shipment shipment, SegmentsEncoding encoding, ShipmentTimer timer, Runnable whenSent)
      throws ShipmentException, InterruptedException {
    try (LinkRate.Use use = link.begin()) {
      encoding.encodeMissing(shipment, pool, buffers);
      timer.markSerialized();
      encoding.seal(
          shipment,
          () -> {
            timer.markDrained();
            use.drained();
            whenSent.run();
          });
      timer.markSealed();
      SendReport report =
          timer.awaitCommit(shipment, encoding.arrivingSeal(), encoding.wireBytes());
      use.arrived();
      return report;
    }
  }

  /** Tries until the transactor answers, or will have dropped the shipment. */
  private Shipment resume(
      Shipment lost, ShipmentHeader header, ShipmentException loss, SendDeadline deadline)
      throws ShipmentException, InterruptedException {
    ResumeTicket ticket = lost.ticket().orElse(null);
    if (ticket == null || !loss.fault().isConnectionLoss()) {
      throw loss;
    }
    lost.close();
    ReconnectEvent event = new ReconnectEvent();
    event.begin();
    int attempts = 0;
    boolean resumed = false;
    try {
      Backoff backoff = new Backoff(ticket.window());
      while (!deadline.isOver() && backoff.pause()) {
        attempts++;
        try {
          Shipment shipment = client.resume(ticket, header);
          resumed = true;
          return shipment;
        } catch (ShipmentException e) {
          e.addSuppressed(loss);
          if (!e.fault().isConnectionLoss()) {
            throw e;
          }
        }
      }
      throw loss;
    } catch (InterruptedException e) {
      client.abandon(
          ticket, new ShipmentException(Fault.CANCELLED, "the sending thread was interrupted"));
      throw e;
    } finally {
      event.shipmentId = ticket.shipmentId();
      event.attempts = attempts;
      event.resumed = resumed;
      event.loss = loss.fault().name();
      event.commit();
    }
  }

  @Override
  public TransactionAnswer ask(TransactionRequest request, Duration patience)
      throws ShipmentException, InterruptedException {
    return client.ask(request, patience);
  }

  @Override
  public DrayageMetrics metrics() {
    return metrics;
  }

  @Override
  public void close() {
    MetricsSnapshot unused = metrics.snapshot(); // Counts the CPU time of threads that may end.
    client.close();
  }
}
