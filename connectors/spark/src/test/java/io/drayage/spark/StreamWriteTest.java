package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.AppVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests streams of Spark in one process: each row once, each epoch one commit, in their order. */
@Tag("nightly")
@Timeout(120)
class StreamWriteTest {
  private static final long PATIENCE_MS = 60_000;

  @TempDir static Path folder;

  private static SparkSession spark;
  @AutoClose private static TestDatabase database;

  private Path own = folder;
  private String table = "";
  private Numbers numbers;
  private long before;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session().newSession();
    database = new TestDatabase(folder);
    database.addTo(spark, "d");
  }

  @BeforeEach
  void makeTable(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    own = Files.createDirectory(folder.resolve(name));
    table = "d." + name;
    numbers = new Numbers(own.resolve("numbers"));
    spark.sql("CREATE TABLE " + table + " (id BIGINT NOT NULL)");
    before = database.newest();
  }

  private Path checkpoint() {
    return own.resolve("checkpoint");
  }

  private DataStreamWriter<Row> writer(Dataset<Row> rows) {
    return rows.writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", checkpoint().toString());
  }

  /** Runs the stream until it has written all input. */
  private static void run(DataStreamWriter<Row> writer, String table) throws Exception {
    StreamingQuery query = writer.toTable(table);
    try {
      assertThat(query.awaitTermination(PATIENCE_MS)).as("the stream ends").isTrue();
    } finally {
      query.stop();
    }
  }

  private void run() throws Exception {
    run(writer(numbers.stream(spark)), table);
  }

  /** Returns the numbers in the table, in the order of its rows. */
  private List<Long> written() {
    return spark.table(table).collectAsList().stream().map(row -> row.getLong(0)).toList();
  }

  private void requireAllOnceInOrder() {
    assertThat(written()).isEqualTo(LongStream.range(0, numbers.count()).boxed().toList());
  }

  /** Returns the numbers in the log since the table was created. */
  private List<AppVersion> epochs() throws IOException {
    return database.committedSince(before).stream()
        .map(entry -> Objects.requireNonNull(entry.transaction()).app())
        .filter(Objects::nonNull)
        .toList();
  }

  private void requireEpochs(long count) throws IOException {
    assertThat(epochs().stream().map(AppVersion::version))
        .isEqualTo(LongStream.range(0, count).boxed().toList());
    assertThat(epochs().stream().map(AppVersion::app).distinct().count()).isLessThanOrEqualTo(1);
  }

  @Test
  void writesEachEpochAsOneCommitInTheirOrder() throws Exception {
    for (int i = 0; i < 4; i++) {
      numbers.add(100);
    }

    run();

    requireAllOnceInOrder();
    requireEpochs(4);
    assertThat(database.newest()).isEqualTo(before + 4);
    assertThat(LocalSpark.metrics(1)).containsEntry("Drayage: fragments", "1");

    run();
    numbers.add(10);
    run();

    requireAllOnceInOrder();
    requireEpochs(5);
  }

  @Test
  void doesNotWriteAgainWhatTheCheckpointHasForgotten() throws Exception {
    numbers.add(10);
    numbers.add(10);
    run();
    assertThat(Checkpoint.forgetNewestCommit(checkpoint())).isTrue();

    run();

    requireAllOnceInOrder();
    requireEpochs(2);

    assertThat(Checkpoint.forgetNewestCommit(checkpoint())).isTrue();
    spark.range(0, 0).writeTo(table).append();
    numbers.add(10);
    run();

    requireAllOnceInOrder();
    requireEpochs(3);
  }

  @Test
  void writesToAnotherTableWhatItsCheckpointHasForgotten() throws Exception {
    numbers.add(10);
    run();
    assertThat(Checkpoint.forgetNewestCommit(checkpoint())).isTrue();

    run(writer(numbers.stream(spark)), table + "_other");

    assertThat(spark.table(table + "_other").count()).isEqualTo(10);
    requireAllOnceInOrder();
  }

  /** An epoch as Spark writes it, begun twice. */
  private final class Epoch {
    private final long number;
    private final StreamingWrite write;
    private final StreamingDataWriterFactory tasks;

    Epoch(String query, long number) throws Exception {
      this.number = number;
      DrayageTable found =
          (DrayageTable)
              catalog().loadTable(Identifier.of(new String[0], table.substring("d.".length())));
      this.write = found.newWriteBuilder(new Info(query, found.columns())).build().toStreaming();
      this.tasks = write.createStreamingWriterFactory(() -> 1);
    }

    private WriterCommitMessage[] task(long id) throws IOException {
      try (DataWriter<InternalRow> writer = tasks.createWriter(0, 0, number)) {
        writer.write(new GenericInternalRow(new Object[] {id}));
        return new WriterCommitMessage[] {writer.commit()};
      }
    }

    void commit(long id) throws IOException {
      write.commit(number, task(id));
    }

    void abort(long id) throws IOException {
      write.abort(number, task(id));
    }
  }

  private record Info(String queryId, StructType schema, CaseInsensitiveStringMap options)
      implements LogicalWriteInfo {
    Info(String queryId, Column[] columns) {
      this(
          queryId,
          new StructType().add(columns[0].name(), columns[0].dataType()),
          CaseInsensitiveStringMap.empty());
    }

    @Override
    public Optional<StructType> rowIdSchema() {
      return Optional.empty();
    }
  }

  private static TableCatalog catalog() {
    return (TableCatalog)
        ((org.apache.spark.sql.classic.SparkSession) spark)
            .sessionState()
            .catalogManager()
            .catalog("d");
  }

  @Test
  void takesOneOfTwoThatWriteAnEpochAtATime() throws Exception {
    String query = UUID.randomUUID().toString();
    Epoch one = new Epoch(query, 0);
    Epoch other = new Epoch(query, 0);

    other.commit(1);
    one.commit(2);
    new Epoch(query, 1).commit(3);
    new Epoch(query, 0).commit(4); // This epoch is before the newest.
    new Epoch(query, 2).abort(5);
    new Epoch(UUID.randomUUID().toString(), 0).commit(6);

    assertThat(written()).containsExactly(1L, 3L, 6L);
  }

  @Test
  void writesEachEpochOfTwoCheckpointsOnce() throws Exception {
    numbers.add(10);
    run();
    Path copy = own.resolve("copy");
    Checkpoint.copy(checkpoint(), copy);
    DataStreamWriter<Row> other =
        writer(numbers.stream(spark)).option("checkpointLocation", copy.toString());
    for (int i = 0; i < 3; i++) {
      numbers.add(10);
    }

    run();
    run(other, table);
    numbers.add(10);
    run(other, table);
    run();

    requireAllOnceInOrder();
    requireEpochs(5);
  }

  @Test
  void writesAnEpochWithoutRows() throws Exception {
    numbers.add(5);
    numbers.add(5);

    run(writer(numbers.stream(spark).where("id >= 5")), table);

    assertThat(written()).containsExactly(5L, 6L, 7L, 8L, 9L);
    requireEpochs(2);
  }

  @Test
  void findsColumnsWithoutRegardToCase() throws Exception {
    numbers.add(10);

    run(writer(numbers.stream(spark).selectExpr("id AS ID")), table);

    requireAllOnceInOrder();
  }

  @Test
  void makesTheTableThatIsNotThere() throws Exception {
    numbers.add(10);
    numbers.add(5);
    Dataset<Row> counted = numbers.stream(spark).groupBy().count().selectExpr("count AS id");

    run(writer(numbers.stream(spark)), table + "_new");
    run(
        counted
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", own.resolve("counted").toString())
            .outputMode("complete"),
        table + "_counted");

    requireEpochs(List.of(0L, 1L, 0L, 1L));
    assertThat(spark.table(table + "_new").count()).isEqualTo(15);
    assertThat(spark.table(table + "_counted").first().getLong(0)).isEqualTo(15);
    numbers.add(5);
    run(writer(numbers.stream(spark)), table + "_new");
    assertThat(spark.table(table + "_new").count()).isEqualTo(20);
  }

  private void requireEpochs(List<Long> versions) throws IOException {
    assertThat(epochs().stream().map(AppVersion::version)).isEqualTo(versions);
    assertThat(database.committedSince(before)).as("nothing else").hasSize(versions.size());
  }

  @Test
  void leavesNoTableOfAStreamThatIsRefused() throws Exception {
    numbers.add(1);
    String none = table + "_none";
    Dataset<Row> rate = spark.readStream().format("rate").load().selectExpr("value AS id");
    for (String each : List.of(none, table)) {
      assertThatThrownBy(() -> run(writer(numbers.stream(spark)).outputMode("update"), each))
          .hasMessageContaining("does not support Update mode");
      assertThatThrownBy(() -> run(writer(numbers.stream(spark)).option("isolaton", "x"), each))
          .hasMessageContaining("no write option 'isolaton'");
      assertThatThrownBy(() -> run(writer(rate).trigger(Trigger.Continuous("1 second")), each))
          .hasMessageContaining("cannot be written by continuous processing");
      DataStreamWriter<Row> numbered = writer(numbers.stream(spark));
      numbered.option("txnAppId", "a").option("txnVersion", "1");
      assertThatThrownBy(() -> run(numbered, each))
          .hasMessageContaining("leave txnAppId and txnVersion out");
      assertThatThrownBy(
              () ->
                  run(
                      writer(
                              numbers.stream(spark)
                                  .selectExpr("CAST(raise_error('failed') AS BIGINT) AS id"))
                          .option("checkpointLocation", own.resolve("failing" + each).toString()),
                      each))
          .hasStackTraceContaining("failed");
    }
    assertThat(database.tables()).doesNotContain(none.substring(2));
    assertThat(database.committedSince(before)).isEmpty();
    spark.sql("CREATE TABLE " + none + " (other STRING)");
  }

  /** Another job creates the table before the stream does. */
  @Test
  void failsTheStreamWhoseTableOthersMakeMeanwhile() throws Exception {
    StreamingQuery query =
        numbers.stream(spark)
            .writeStream()
            .option("checkpointLocation", checkpoint().toString())
            .toTable(table + "_late");
    try {
      spark.range(7, 8).writeTo(table + "_late").create();
      numbers.add(1);
      assertThatThrownBy(() -> query.awaitTermination(PATIENCE_MS))
          .hasMessageContaining("must be new, and exists");
    } finally {
      query.stop();
    }
    assertThat(spark.table(table + "_late").count()).isEqualTo(1);
  }

  @Test
  void refusesWhatDoesNotFitTheTable() throws Exception {
    numbers.add(1);

    assertRefused(
        numbers.stream(spark).selectExpr("CAST(id AS INT) AS id"),
        "column 'id' of table 'refusesWhatDoesNotFitTheTable' is BIGINT, and the stream has INT");
    assertRefused(
        numbers.stream(spark).selectExpr("id AS number"), "have the columns [number]: insert all");
    assertRefused(
        numbers.stream(spark).selectExpr("id", "id AS more"),
        "have the columns [id, more]: insert all");
    assertRefused(
        numbers.stream(spark).selectExpr("nullif(id, 0) AS id"), "column 'id' is NOT NULL");
    assertThat(written()).isEmpty();
    requireEpochs(0);
  }

  private void assertRefused(Dataset<Row> rows, String message) {
    assertThatThrownBy(() -> run(writer(rows), table)).hasMessageContaining(message);
  }
}
