package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Whether a run, or all runs of a system, went well. */
public enum Status {
  OK,
  FAILED,
  /** This machine cannot run it. */
  SKIPPED;

  /** As it stands in JSON: {@code ok}, {@code failed}, {@code skipped}. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
