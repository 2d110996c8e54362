package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.drayage.bench.result.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The measurements of one combination, as written to JSON. */
public interface CodecRow {
  Combination combination();

  /** Returns the reason of a failure; null if it did not fail. */
  @Nullable String error();

  /** Returns the status: {@link Status#FAILED} if there is nothing to show. */
  @JsonProperty
  default Status status() {
    return error() == null ? Status.OK : Status.FAILED;
  }

  /** Returns a line for each combination that failed. */
  static List<String> failures(List<? extends CodecRow> rows) {
    return rows.stream()
        .filter(row -> row.status() == Status.FAILED)
        .map(row -> "FAILED %s: %s".formatted(row.combination(), row.error()))
        .toList();
  }

  /** Returns the reason why a measurement failed, in one line. */
  static String reason(Throwable e) {
    String message = e.getMessage();
    String name = e.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("").strip();
  }
}
