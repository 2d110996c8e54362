package io.drayage.bench.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * One line of the diagnosis. Written by Jackson.
 *
 * @param mark the quality of the value
 * @param what the name of the examined thing
 * @param value its state
 * @param meaning the consequence for the user
 */
public record Finding(Mark mark, String what, String value, String meaning) {
  /** The quality of a finding's value. */
  public enum Mark {
    /** The value is as expected. */
    OK,
    /** Missing: something cannot be done. */
    NO,
    /** Works, but the user should know it. */
    NOTE;

    @JsonValue
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Makes a finding that is ok if {@code present}, else no, with the meaning of either. */
  static Finding of(
      String what, boolean present, String value, String meaningIfPresent, String meaningIfNot) {
    return new Finding(
        present ? Mark.OK : Mark.NO, what, value, present ? meaningIfPresent : meaningIfNot);
  }
}
