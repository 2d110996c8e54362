package io.drayage.bench;

import io.drayage.transport.TransportOptions;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate of a link as users write it: {@code 10gbit}, {@code 500mbit}, or bytes a second as a
 * {@link ByteSize}, {@code 1.25GB}; {@code loopback} means no wire.
 *
 * @param bytesPerSecond the rate
 * @param text the text of the user
 */
public record LinkSpeed(long bytesPerSecond, String text) {
  private static final Pattern BITS = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)([mg])bit");

  /** The rate without a wire. */
  public static final LinkSpeed LOOPBACK =
      new LinkSpeed(TransportOptions.LOOPBACK_BYTES_PER_SECOND, "loopback");

  /**
   * Reads a rate.
   *
   * @throws IllegalArgumentException if {@code text} is not a rate; the message says what is valid
   */
  public static LinkSpeed parse(String text) {
    if (text.equals(LOOPBACK.text)) {
      return LOOPBACK;
    }
    Matcher matcher = BITS.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      double bits =
          Double.parseDouble(matcher.group(1)) * (matcher.group(2).equals("g") ? 1e9 : 1e6);
      if (bits >= Byte.SIZE) {
        return new LinkSpeed((long) (bits / Byte.SIZE), text);
      }
    }
    try {
      return new LinkSpeed(ByteSize.parse(text).bytes(), text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'%s' is not the rate of a link: write 10gbit, 500mbit, 1.25GB (a second) or loopback"
              .formatted(text),
          e);
    }
  }

  /** Returns the rate as users write it. */
  @Override
  public String toString() {
    return text;
  }

  /** Whether there is no wire. */
  public boolean isLoopback() {
    return equals(LOOPBACK);
  }
}
