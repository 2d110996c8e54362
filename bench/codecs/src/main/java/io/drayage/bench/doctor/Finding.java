package io.drayage.bench.doctor;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * One line of the diagnosis. Written by Jackson.
 *
 * @param mark how good the value is
 * @param what what was looked at
 * @param value what was found
 * @param meaning what that means for the user
 * @param required whether throughput cannot run if the mark is {@link Mark#NO}
 */
public record Finding(
    Mark mark, String what, String value, String meaning, @JsonIgnore boolean required) {
  /** How good the value of a finding is. */
  public enum Mark {
    /** As it should be. */
    OK,
    /** Missing: something cannot be done. */
    NO,
    /** Works, but is worth knowing. */
    NOTE;

    @JsonValue
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Finding of(Mark mark, String what, String value, String meaning) {
    return new Finding(mark, what, value, meaning, false);
  }

  static Finding required(Mark mark, String what, String value, String meaning) {
    return new Finding(mark, what, value, meaning, true);
  }

  /** Ok if {@code present}, else no, with what either means. */
  static Finding optional(
      String what, boolean present, String value, String meaningIfPresent, String meaningIfNot) {
    return of(present ? Mark.OK : Mark.NO, what, value, present ? meaningIfPresent : meaningIfNot);
  }
}
