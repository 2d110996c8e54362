package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.util.regex.Pattern;

/**
 * The number that an application gives a transaction, so that one which is run again is known: of
 * an application, each transaction has a higher version than the one before.
 *
 * @param app names the application: 1 to {@value #MAX_CHARS} letters, digits and any of {@code . _
 *     : -}
 * @param version 0 or more
 */
public record AppVersion(String app, long version) {
  /** The longest name of an application. */
  public static final int MAX_CHARS = 200;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1," + MAX_CHARS + "}");

  /**
   * @throws IllegalArgumentException if the name or the version is none
   */
  public AppVersion {
    if (!NAME.matcher(app).matches() || version < 0) {
      throw new IllegalArgumentException(
          format(
              "'%s' version %d is no version of an application: its name has 1 to %d letters, digits and . _ : -, its version is 0 or more",
              app, version, MAX_CHARS));
    }
  }
}
