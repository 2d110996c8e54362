package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import com.sun.management.ThreadMXBean;
import io.drayage.admin.AuditLog;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.changes.ChangeTarget;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.database.InitialTable;
import io.drayage.testing.Waiting;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Updates every cell of a table by several fragments, with an audit log, and follows the changes.
 * The ids of the changed rows of one column, 8 bytes each, would fill the rest of the heap.
 */
final class LargeUpdateMain {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int FRAGMENTS = 32;
  private static final int COLUMNS = 4;

  /** Limit of the bytes that the publisher's thread allocates for a line of the audit log. */
  private static final long MAX_AUDIT_BYTES = 1 << 20;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private LargeUpdateMain() {}

  /**
   * Updates and follows.
   *
   * @param args a folder, and the pages of the table
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int pages = Integer.parseInt(args[1]);
    long rows = (long) pages * PAGE_ROWS;
    Path audit = folder.resolve("audit");
    try (TestCluster cluster = new TestCluster(folder.resolve("store"));
        AuditLog log = AuditLog.open(audit)) {
      Consumer<PublishedCommit> audited = AuditLog.published(log);
      TransactorNode transactor =
          cluster.transactor(options(rows), commit -> publish(commit, audited));
      Waiting.await(transactor::isPrimary);
      long position = transactor.snapshot().timestamp();
      update(cluster, pages / FRAGMENTS);
      transactor.close();
      System.out.println(follow(cluster, position));
    }
    System.out.println(Files.readString(audit));
  }

  private static void publish(PublishedCommit commit, Consumer<PublishedCommit> audited) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    audited.accept(commit);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    System.out.println(
        allocated < MAX_AUDIT_BYTES ? "audited" : format("audited with %,d bytes", allocated));
  }

  private static TransactorOptions options(long rows) {
    ColumnSchema[] columns = new ColumnSchema[COLUMNS];
    Arrays.setAll(columns, i -> ColumnSchema.of("c" + i, ColumnType.BYTE));
    return TransactorOptions.builder("t1", InetSocketAddress.createUnresolved("127.0.0.1", 0))
        .tables(List.of(new InitialTable(TableSchema.of("t", columns), rows)))
        .limits(TestCluster.LIMITS)
        .codecThreads(2)
        .build();
  }

  private static void update(TestCluster cluster, int pages) throws Exception {
    try (DistributedTransaction transaction = cluster.begin("driver");
        FragmentSender sender = cluster.fragments(transaction.handle())) {
      List<UUID> fragments = new ArrayList<>();
      for (int i = 0; i < FRAGMENTS; i++) {
        fragments.addAll(sender.send(fragment(transaction.base(), i * pages, pages)));
      }
      transaction.commit(fragments);
    }
  }

  private static ChangeCargo fragment(long base, int firstPage, int pages) {
    long rows = (long) pages * PAGE_ROWS;
    return ChangeCargo.builder(new UUID(0, 0), base)
        .table(
            "t",
            changes -> {
              for (int column = 0; column < COLUMNS; column++) {
                changes.update(
                    "c" + column,
                    ColumnValues.onDemand(
                        ColumnType.LONG, rows, PAGE_ROWS, page -> ids(firstPage + page)),
                    ColumnValues.onDemand(
                        ColumnType.BYTE, rows, PAGE_ROWS, page -> new byte[PAGE_ROWS]));
              }
            })
        .build();
  }

  private static long[] ids(int page) {
    long[] ids = new long[PAGE_ROWS];
    Arrays.setAll(ids, row -> (long) page * PAGE_ROWS + row);
    return ids;
  }

  /** Returns the output of the feed, without the lines between the first and the last of a row. */
  private static String follow(TestCluster cluster, long position) throws Exception {
    try (ChangeFeed feed =
            ChangeFeed.openAfter(
                new WorkerOptions("feed"),
                new InMemoryCoordination(cluster.cluster),
                cluster.objects,
                position);
        Ends ends = new Ends();
        ChangeTarget target = ChangeTarget.lines(null, false, null, ends)) {
      target.begin(feed.database(), feed.snapshot());
      CommittedChange change = feed.next(PATIENCE);
      if (change == null) {
        throw new AssertionError("nothing was published");
      }
      target.write(change);
      return ends.toString();
    }
  }

  /** Keeps the last thousand written characters. */
  private static final class Ends extends Writer {
    private static final int KEPT = 1_000;

    private final StringBuilder last = new StringBuilder();
    private long written;

    @Override
    public void write(char[] from, int offset, int length) {
      written += length;
      last.append(from, offset, length);
      last.delete(0, Math.max(0, last.length() - KEPT));
    }

    @Override
    public void flush() {}

    @Override
    public void close() throws IOException {
      last.setLength(0);
    }

    @Override
    public String toString() {
      return format("%d characters, the last of which are\n%s", written, last);
    }
  }
}
