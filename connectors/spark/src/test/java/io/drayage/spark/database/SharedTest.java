package io.drayage.spark.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("ci")
class SharedTest {
  private static final DrayageOptions OPTIONS =
      DrayageOptions.parse("d", Map.of("zookeeper", "127.0.0.1:1", "store", "fs:none"));

  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final AtomicInteger CLOSED = new AtomicInteger();

  private static final Shared<AutoCloseable> SHARED =
      new Shared<>(
          options -> {
            OPENED.incrementAndGet();
            return CLOSED::incrementAndGet;
          });

  private static SparkSession application() {
    return SparkSession.builder()
        .master("local[1]")
        .appName("shared")
        .config("spark.ui.enabled", "false")
        .getOrCreate();
  }

  private static void use() throws IOException {
    AutoCloseable first = SHARED.of(OPTIONS);
    assertThat(SHARED.of(OPTIONS)).isSameAs(first);
  }

  @Test
  @Timeout(120)
  void endsWithTheApplicationAndBeginsAnewWithTheNext() throws Exception {
    for (int application = 1; application <= 2; application++) {
      SparkSession session = application();
      use();
      assertThat(OPENED).hasValue(application);
      assertThat(CLOSED).hasValue(application - 1);

      session.stop();

      assertThat(CLOSED).hasValue(application);
    }
  }
}
