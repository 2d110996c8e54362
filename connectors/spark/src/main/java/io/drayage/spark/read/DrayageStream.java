package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.replica.TableLog;
import io.drayage.replica.TableSize;
import io.drayage.snapshot.LoadingMarks;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.DrayageUnsupportedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadAllAvailable;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the changes of a table, or of its appended rows. A batch has the changes of whole
 * snapshots, so that it is the same each time. Entries of the log without a change of the table
 * make no batch: a batch that a stream commits to the same database would make another one. But if
 * such entries fill the log up to the next full snapshot, the stream goes on to the newest, so that
 * they need not be kept. Thread-safe.
 */
final class DrayageStream implements MicroBatchStream, SupportsTriggerAvailableNow {
  private final ChangesReaderFactory factory;
  private final StreamOptions options;

  // Guarded by this.

  /** The log up to the last entry that was looked at; null before the first. */
  private @Nullable TableLog log;

  /** The changes of the log by their snapshots, after {@link #knownAfter}. */
  private final NavigableMap<Long, List<TableLog.Change>> changes = new TreeMap<>();

  private long knownAfter;

  /** Keeps the log since the last committed batch, or the snapshot whose rows are the first one. */
  private LoadingMarks.Marked mark = () -> {};

  /** The end of a stream that reads what is available now; null for others. */
  private @Nullable LogPosition end;

  DrayageStream(ChangesReaderFactory factory, StreamOptions options) {
    this.factory = factory;
    this.options = options;
  }

  private interface Step<T> {
    T run(DrayageSession session) throws IOException;
  }

  private <T> T run(Step<T> step) {
    try {
      return step.run(DrayageSession.of(factory.options()));
    } catch (IOException e) {
      throw factory.failed(e);
    }
  }

  @Override
  public Offset initialOffset() {
    Long start = options.startingVersion();
    return start == null
        ? StreamOffset.BEGIN
        : run(
            session -> {
              new ChangeRange(start, true, null, true)
                  .requireKept(factory.options(), factory.table());
              return StreamOffset.of(session.snapshot(start - 1));
            });
  }

  @Override
  public Offset deserializeOffset(String json) {
    return StreamOffset.parse(json);
  }

  @Override
  public synchronized void prepareForTriggerAvailableNow() {
    end = run(DrayageSession::published);
  }

  @Override
  public ReadLimit getDefaultReadLimit() {
    return options.hasLimits() ? ReadLimit.maxBytes(options.maxBytes()) : ReadLimit.allAvailable();
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException("a batch depends on its start and limits");
  }

  @Override
  public synchronized Offset latestOffset(Offset start, ReadLimit limit) {
    return run(session -> latest(session, (StreamOffset) start, limit instanceof ReadAllAvailable));
  }

  private Offset latest(DrayageSession session, StreamOffset start, boolean unlimited)
      throws IOException {
    LogPosition newest = end == null ? session.published() : end;
    LogPosition from = start.entry();
    if (from == null) {
      return StreamOffset.of(newest);
    } else if (newest.equals(from)) {
      return start;
    } else if (!newest.follows(from)) {
      throw ForeignDatabaseException.ofEntry(session.store().name(), from, newest);
    }
    boolean isSeen = log != null && log.position().equals(newest);
    LogPosition last = lastWithin(between(session, from, newest), unlimited);
    if (last != null) {
      return StreamOffset.of(last);
    }
    boolean isSkipped = !isSeen && fullUpTo(session, newest) > from.timestamp();
    return isSkipped ? StreamOffset.of(newest) : start;
  }

  private static long fullUpTo(DrayageSession session, LogPosition entry) throws IOException {
    SnapshotEntry full = TableLog.fullUpTo(session.store().catalog(), entry.timestamp());
    return full.manifest().timestamp();
  }

  /** Returns the last entry within the limits, the first in any case; null if there is none. */
  private @Nullable LogPosition lastWithin(
      Collection<List<TableLog.Change>> snapshots, boolean unlimited) {
    LogPosition last = null;
    long count = 0;
    long bytes = 0;
    for (List<TableLog.Change> snapshot : snapshots) {
      count++;
      bytes += snapshot.stream().mapToLong(TableLog.Change::rawBytes).sum();
      boolean fits = count <= options.maxSnapshots() && bytes <= options.maxBytes();
      if (!unlimited && last != null && !fits) {
        break;
      }
      last = snapshot.get(0).entry();
    }
    return last;
  }

  /** Returns the changes after an entry up to another one, each snapshot's together. */
  private Collection<List<TableLog.Change>> between(
      DrayageSession session, LogPosition from, LogPosition to) throws IOException {
    if (log == null || from.timestamp() < knownAfter) {
      LoadingMarks.Marked next = session.store().markAfter(from.timestamp());
      stop();
      mark = next;
      log = session.store().log(factory.table(), from);
      knownAfter = from.timestamp();
    }
    if (to.timestamp() > log.position().timestamp()) {
      for (TableLog.Change change : log.advance(to)) {
        changes.computeIfAbsent(change.entry().timestamp(), n -> new ArrayList<>()).add(change);
      }
    }
    long dropped = log.droppedIn();
    boolean isStart =
        dropped == from.timestamp() + 1 && Long.valueOf(dropped).equals(options.startingVersion());
    if (dropped > from.timestamp() && !isStart) {
      throw replaced(dropped);
    }
    return changes.subMap(from.timestamp(), false, to.timestamp(), true).values();
  }

  private DrayageUnsupportedException replaced(long snapshot) {
    return new DrayageUnsupportedException(
        format(
            "table %s: snapshot %d drops or replaces it: begin a stream of the new table, with another checkpoint",
            factory.table(), snapshot));
  }

  @Override
  public @Nullable Offset reportLatestOffset() {
    return run(session -> StreamOffset.of(session.published()));
  }

  @Override
  public synchronized InputPartition[] planInputPartitions(Offset start, Offset to) {
    LogPosition from = ((StreamOffset) start).entry();
    LogPosition last = ((StreamOffset) to).entry();
    if (last == null) {
      return new InputPartition[0];
    }
    if (factory.made() > last.timestamp()) {
      throw replaced(factory.made());
    }
    int tasks = SparkSession.active().sparkContext().defaultParallelism();
    return run(
        session -> from == null ? rows(session, last, tasks) : changes(session, from, last, tasks));
  }

  private InputPartition[] rows(DrayageSession session, LogPosition snapshot, int tasks)
      throws IOException {
    mark.close();
    mark = session.store().markAfter(snapshot.timestamp());
    TableSize size = PlannedSnapshot.of(factory.options(), snapshot).size(factory.table());
    long bytes = factory.loaded().stream().mapToLong(size::bytes).sum();
    long created = TableLog.createdMicros(session.store().made(snapshot.timestamp()));
    int count = ScanRange.count(size.rows(), bytes, tasks);
    return IntStream.range(0, count)
        .mapToObj(part -> new SnapshotPart(new ScanRange(part, count), snapshot, created))
        .toArray(InputPartition[]::new);
  }

  private InputPartition[] changes(
      DrayageSession session, LogPosition from, LogPosition last, int tasks) throws IOException {
    List<TableLog.Change> all =
        between(session, from, last).stream().flatMap(List::stream).toList();
    for (TableLog.Change change : all) {
      if (change.changesRows() && factory.rows() == ChangesReaderFactory.Rows.APPENDED) {
        throw new DrayageUnsupportedException(
            format(
                "table %s: snapshot %d updates or deletes rows, and a stream of the table has appended rows alone: read its changes, with another checkpoint",
                factory.table(), change.entry().timestamp()));
      }
    }
    return LogPart.cut(all, tasks).toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return factory;
  }

  /** Lets the log go up to the end of a batch. */
  @Override
  public synchronized void commit(Offset offset) {
    LogPosition done = ((StreamOffset) offset).entry();
    if (log == null || done == null) {
      return;
    }
    changes.headMap(done.timestamp(), true).clear();
    knownAfter = Math.max(knownAfter, done.timestamp());
    LoadingMarks.Marked before = mark;
    mark = run(session -> session.store().markAfter(done.timestamp()));
    before.close();
  }

  @Override
  public synchronized void stop() {
    if (log != null) {
      log.close();
      log = null;
    }
    changes.clear();
    mark.close();
  }
}
