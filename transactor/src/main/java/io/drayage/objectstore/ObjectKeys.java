package io.drayage.objectstore;

import java.util.regex.Pattern;

/** The syntax of object keys. */
public final class ObjectKeys {
  /** The limit of a key's length. */
  public static final int MAX_CHARS = 512;

  private static final Pattern KEY =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*");

  private ObjectKeys() {}

  /**
   * Returns {@code key} if it is valid: names of letters, digits, {@code _}, {@code .} and {@code
   * -}, separated by slashes, none of which begins with a dot or a hyphen.
   *
   * @throws IllegalArgumentException if it is not valid
   */
  public static String require(String key) {
    if (key.length() > MAX_CHARS || !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException("'%s' cannot be the key of an object".formatted(key));
    }
    return key;
  }
}
