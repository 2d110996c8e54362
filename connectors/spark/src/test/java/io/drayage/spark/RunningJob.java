package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/** A job that appends the rows of {@link FaultJob} to a new table, while its test disturbs it. */
final class RunningJob {
  private static final long SECONDS = 300;

  private final TestDatabase database;
  private final long before;
  private final CompletableFuture<Void> end;

  private RunningJob(TestDatabase database, Dataset<Row> rows) throws IOException {
    this.database = database;
    this.before = database.newest();
    this.end = CompletableFuture.runAsync(() -> append(rows));
  }

  private static void append(Dataset<Row> rows) {
    try {
      rows.writeTo("d.faults").append();
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes the table, in the catalog {@code d} of a session. */
  static void makeTable(TestDatabase database, SparkSession spark) {
    database.addTo(spark, "d");
    spark.sql("CREATE TABLE d.faults (id BIGINT, proof BIGINT, filler STRING)");
  }

  static RunningJob begin(TestDatabase database, Dataset<Row> rows) throws IOException {
    return new RunningJob(database, rows);
  }

  /** Waits for its success, and fails unless its rows are there once, by one commit. */
  void requireExact() throws Exception {
    awaitSuccess();
    requireExact(database, before);
  }

  void awaitSuccess() throws Exception {
    end.get(SECONDS, TimeUnit.SECONDS);
  }

  static void requireExact(TestDatabase database, long before) throws IOException {
    assertThat(database.rows("faults", "id", "proof"))
        .isEqualTo(TestDatabase.sorted(FaultJob.expected()));
    assertThat(database.commitsSince(before)).isEqualTo(1);
    Beacon.await("the fragments are gone", () -> database.files("fragments").isEmpty());
  }

  /** Waits for its failure, of which nothing is left; returns the messages of all causes. */
  String requireNothing() throws Exception {
    try {
      end.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      requireNothing(database, before);
      return messages(e);
    }
    throw new AssertionError("the job has not failed");
  }

  static void requireNothing(TestDatabase database, long before) throws IOException {
    assertThat(database.rows("faults", "id")).isEmpty();
    assertThat(database.commitsSince(before)).isZero();
    Beacon.await(
        "its end", () -> database.files("open").isEmpty() && database.files("fragments").isEmpty());
  }

  private static String messages(Throwable failure) {
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      messages.append(cause.getMessage()).append('\n');
    }
    return messages.toString();
  }

  /** Either of the two. */
  void requireExactOrNothing() throws Exception {
    boolean failed = end.handle((done, failure) -> failure != null).get(SECONDS, TimeUnit.SECONDS);
    if (failed) {
      System.out.println("the job has failed: " + requireNothing().lines().findFirst());
    } else {
      requireExact();
    }
  }
}
