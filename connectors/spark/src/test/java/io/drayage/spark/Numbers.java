package io.drayage.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A stream of files of numbers: each file is an epoch. */
final class Numbers {
  private final Path folder;
  private long files;
  private long numbers;

  Numbers(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /** Adds a file of {@code count} numbers, which continue the earlier ones. */
  void add(int count) throws IOException {
    String lines =
        LongStream.range(numbers, numbers + count)
            .mapToObj(Long::toString)
            .collect(Collectors.joining("\n"));
    Path file = Files.writeString(folder.resolve("." + files), lines);
    // Spark reads the oldest file first.
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L + 1_000 * files));
    Files.move(file, folder.resolve("numbers-" + files));
    files++;
    numbers += count;
  }

  /** Returns the number of added numbers. */
  long count() {
    return numbers;
  }

  /** Returns rows with the number as {@code id}. */
  Dataset<Row> stream(SparkSession spark) {
    return spark
        .readStream()
        .option("maxFilesPerTrigger", 1)
        .text(folder.toString())
        .selectExpr("CAST(value AS BIGINT) AS id");
  }
}
