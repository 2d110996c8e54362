package io.drayage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests Spark with executors in separate processes, end to end. */
@Tag("ci")
class ClusterWriteTest {
  private static final int ROWS = 20_000;

  @TempDir Path folder;

  @Test
  @Timeout(120) // It needs only seconds on an idle machine.
  void writesFromManyProcessesInOneCommit() throws Exception {
    try (TestDatabase database = new TestDatabase(folder);
        ClusterSpark cluster = new ClusterSpark(Map.of())) {
      SparkSession spark = cluster.session();
      database.addTo(spark, "d");
      long before = database.newest();

      spark
          .range(0, ROWS, 1, 4)
          .selectExpr(
              "id", "concat('row ', id) AS note", "CAST(id AS DECIMAL(12,2)) / 4 AS quarter")
          .selectExpr("id", "note", "CAST(quarter AS DECIMAL(12,2)) AS quarter")
          .writeTo("d.numbers")
          .create();

      assertThat(database.newest()).isEqualTo(before + 1);
      assertThat(database.rows("numbers")).isEqualTo(TestDatabase.sorted(expected()));
      assertThat(database.files("fragments")).isEmpty();

      spark.sql("UPDATE d.numbers SET note = concat(note, '!') WHERE id % 100 = 7");

      assertThat(database.newest()).isEqualTo(before + 2);
      assertThat(spark.sql("SELECT * FROM d.numbers WHERE note LIKE '%!'").count())
          .isEqualTo(ROWS / 100);
    }
  }

  private static List<List<Object>> expected() {
    return LongStream.range(0, ROWS)
        .mapToObj(id -> List.<Object>of(id, "row " + id, id * 25))
        .toList();
  }
}
