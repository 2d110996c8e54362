package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests which database a session of Spark reads and changes. */
@Tag("ci")
@Timeout(180)
class IdentityTest {
  @TempDir static Path folder;

  private static SparkSession spark;
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void start() throws Exception {
    spark = LocalSpark.session();
    database = new TestDatabase(Files.createDirectory(folder.resolve("a")));
    database.addTo(spark, "a");
    Object unused = spark.sql("CREATE TABLE a.t AS SELECT id, id * 10 AS v FROM range(0, 5, 1, 1)");
  }

  private static List<String> rows(String sql) {
    return Stream.of((Row[]) spark.sql(sql).collect()).map(Row::toString).sorted().toList();
  }

  private static void run(String sql) {
    Object unused = spark.sql(sql);
  }

  @Test
  void theStoreOfAnotherDatabaseIsRefused() throws Exception {
    try (TestDatabase other = new TestDatabase(Files.createDirectory(folder.resolve("b")))) {
      other.addTo(spark, "b");
      run("CREATE TABLE b.t AS SELECT 4 - id AS id, 1000 + id AS v FROM range(0, 5, 1, 1)");
      while (other.newest() < database.newest() + 2) {
        run("INSERT INTO b.t VALUES (100, 1)");
      }
      database.addTo(spark, "mixed", other.store());
      for (String sql :
          List.of("SELECT * FROM mixed.t", "UPDATE mixed.t SET v = v + 1 WHERE id = 0")) {
        assertThatThrownBy(() -> rows(sql))
            .hasMessageContaining("holds database " + other.id())
            .hasMessageContaining("is of database " + database.id())
            .hasMessageContaining("name the store of that cluster");
      }
      assertThat(rows("SELECT * FROM a.t"))
          .containsExactly("[0,0]", "[1,10]", "[2,20]", "[3,30]", "[4,40]");
    }
  }

  @Test
  void aDatabaseThatIsMadeAgainAtTheSameAddressesIsReadAnew() throws Exception {
    Path place = Files.createDirectory(folder.resolve("c"));
    TestDatabase first = new TestDatabase(place, 0);
    first.addTo(spark, "c");
    run("CREATE TABLE c.t AS SELECT id, id * 10 AS v FROM range(0, 3, 1, 1)");
    assertThat(rows("SELECT * FROM c.t")).containsExactly("[0,0]", "[1,10]", "[2,20]");
    Dataset<Row> made = spark.table("c.t");
    Dataset<Row> read = spark.table("c.t").where("id >= 0");
    assertThat(read.count()).isEqualTo(3);
    long snapshot = first.newest();
    int port = Integer.parseInt(first.servers().substring(first.servers().lastIndexOf(':') + 1));
    first.closeCluster();
    delete(place);
    Files.createDirectory(place);

    try (TestDatabase second = new TestDatabase(place, port)) {
      second.addTo(spark, "elsewhere");
      spark.conf().set("spark.sql.catalog.elsewhere.name", "elsewhere");
      run("CREATE TABLE elsewhere.t AS SELECT 2 - id AS id, 9000 + id AS v FROM range(0, 3, 1, 1)");
      assertThat(second.newest()).isEqualTo(snapshot);

      // Objects from the old database return none of its rows, and no rows of the new one.
      for (Dataset<Row> before : List.of(made, made.where("id = 0"), read.select("v"))) {
        assertThatThrownBy(before::collectAsList).hasMessageContaining("[DRAYAGE_WRONG_STORE]");
      }
      assertThat(rows("SELECT * FROM c.t")).containsExactly("[0,9002]", "[1,9001]", "[2,9000]");
      assertThatThrownBy(made::collectAsList).hasMessageContaining("[DRAYAGE_WRONG_STORE]");
      run("UPDATE c.t SET v = v + 1 WHERE id = 0");
      assertThat(rows("SELECT * FROM c.t")).containsExactly("[0,9003]", "[1,9001]", "[2,9000]");
      assertThat(second.rows("t").toString()).isEqualTo("[[0, 9003], [1, 9001], [2, 9000]]");
    }
  }

  private static void delete(Path place) throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        boolean unused = Files.deleteIfExists(each); // A mark may be deleted already.
      }
    }
  }

  @Test
  void aFolderThatIsMistypedIsNotMade() {
    Path missing = folder.resolve("a").resolve("stroe");
    database.addTo(spark, "mistyped", "fs:" + missing);
    assertThatThrownBy(() -> rows("SELECT * FROM mistyped.t"))
        .hasMessageContaining("fs:" + missing)
        .hasMessageContaining("is the store right?");
    assertThat(missing).doesNotExist();
  }

  @Test
  void scansOfTheSameAreReadOnce() {
    String counts = "SELECT v, count(*) FROM a.t GROUP BY v";
    spark.conf().set("spark.sql.adaptive.enabled", false);
    try {
      assertThat(plan(counts + " UNION ALL " + counts)).contains("ReusedExchange");
      assertThat(plan(counts + " UNION ALL " + counts.replace("count(*)", "sum(id)")))
          .doesNotContain("ReusedExchange");
    } finally {
      spark.conf().unset("spark.sql.adaptive.enabled");
    }
  }

  private static String plan(String sql) {
    return spark.sql(sql).queryExecution().executedPlan().toString();
  }

  @Test
  void describesWhichSnapshotOfWhichDatabaseItIs() throws Exception {
    assertThat(String.join("\n", rows("DESCRIBE EXTENDED a.t")))
        .contains("drayage.database=" + database.id())
        .contains("drayage.snapshot=" + database.newest())
        .contains("drayage.store=" + database.store());
  }
}
