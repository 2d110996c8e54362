package io.drayage.spark.write;

import io.drayage.send.SendReport;
import io.drayage.spark.database.SumMetric;
import io.drayage.worker.FragmentSender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.jspecify.annotations.Nullable;

/** The metrics of a write in Spark's UI. They count for one task. Thread-safe. */
final class WriteMetrics implements FragmentSender.Progress {
  private final AtomicLong rawBytes = new AtomicLong();
  private final AtomicLong wireBytes = new AtomicLong();
  private final AtomicLong encodeNs = new AtomicLong();
  private final AtomicLong waitNs = new AtomicLong();
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicLong fragments = new AtomicLong();

  /** Raw bytes of all fragments. */
  public static final class RawBytes extends SumMetric {
    public RawBytes() {
      super("drayageRawBytes", "Drayage: raw bytes of fragments");
    }
  }

  /** Bytes on the wire. */
  public static final class WireBytes extends SumMetric {
    public WireBytes() {
      super("drayageWireBytes", "Drayage: bytes on the wire");
    }
  }

  /** Time until the last segment of a fragment was encoded. */
  public static final class EncodeMillis extends SumMetric {
    public EncodeMillis() {
      super("drayageEncodeMs", "Drayage: time until fragments were encoded (ms)");
    }
  }

  /** Time of waiting for memory at the transactor, and for credit. */
  public static final class WaitMillis extends SumMetric {
    public WaitMillis() {
      super("drayageCreditWaitMs", "Drayage: time waited for room and credit (ms)");
    }
  }

  /** Attempts beyond the first. */
  public static final class Retries extends SumMetric {
    public Retries() {
      super("drayageRetries", "Drayage: fragments sent again");
    }
  }

  /** Fragments that are durable. */
  public static final class Fragments extends SumMetric {
    public Fragments() {
      super("drayageFragments", "Drayage: fragments");
    }
  }

  /** Time of the commit at the driver. */
  public static final class CommitMillis extends SumMetric {
    public CommitMillis() {
      super("drayageCommitMs", "Drayage: time of the commit (ms)");
    }
  }

  /** Number of the snapshot, from the driver: a sum of one value. */
  public static final class Snapshot extends SumMetric {
    public Snapshot() {
      super("drayageSnapshot", "Drayage: number of the snapshot");
    }

    @Override
    public String aggregateTaskMetrics(long[] values) {
      long newest = 0;
      for (long value : values) {
        newest = Math.max(newest, value);
      }
      return String.format(Locale.ROOT, "%d", newest);
    }
  }

  static CustomMetric[] supported() {
    return new CustomMetric[] {
      new RawBytes(),
      new WireBytes(),
      new EncodeMillis(),
      new WaitMillis(),
      new Retries(),
      new Fragments(),
      new CommitMillis(),
      new Snapshot()
    };
  }

  /**
   * Returns the driver's values after its commit, and no values before.
   *
   * @param rest values that tasks have not reported, by name
   */
  static CustomTaskMetric[] ofDriver(
      @Nullable WriteTransaction transaction, Map<String, Long> rest) {
    if (transaction == null || transaction.snapshot() == 0) {
      return new CustomTaskMetric[0];
    }
    List<CustomTaskMetric> known = new ArrayList<>();
    known.add(new CommitMillis().of(TimeUnit.NANOSECONDS.toMillis(transaction.commitNs())));
    known.add(new Snapshot().of(transaction.snapshot()));
    rest.forEach((name, value) -> known.add(new SumMetric.Value(name, value)));
    return known.toArray(CustomTaskMetric[]::new);
  }

  void addRawBytes(long bytes) {
    rawBytes.addAndGet(bytes);
  }

  @Override
  public void attempt() {
    attempts.incrementAndGet();
  }

  @Override
  public void stored(SendReport report) {
    fragments.incrementAndGet();
    wireBytes.addAndGet(report.wireBytes());
    encodeNs.addAndGet(report.serializeNs());
    waitNs.addAndGet(report.requestNs() + report.drainNs());
  }

  /** Returns {@link #values} by their names. */
  Map<String, Long> byName() {
    return Arrays.stream(values())
        .collect(Collectors.toMap(CustomTaskMetric::name, CustomTaskMetric::value));
  }

  CustomTaskMetric[] values() {
    return new CustomTaskMetric[] {
      new RawBytes().of(rawBytes.get()),
      new WireBytes().of(wireBytes.get()),
      new EncodeMillis().of(TimeUnit.NANOSECONDS.toMillis(encodeNs.get())),
      new WaitMillis().of(TimeUnit.NANOSECONDS.toMillis(waitNs.get())),
      new Retries().of(Math.max(0, attempts.get() - fragments.get())),
      new Fragments().of(fragments.get())
    };
  }
}
