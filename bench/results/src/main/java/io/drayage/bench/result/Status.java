package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The success of a run, or of all runs of a system. */
public enum Status {
  OK,
  FAILED,
  /** This machine cannot run it. */
  SKIPPED;

  /** Returns the status as in JSON: {@code ok}, {@code failed}, {@code skipped}. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
