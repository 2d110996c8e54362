package io.drayage.bench;

import io.drayage.internal.Texts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as users write it: {@code 100MB}, {@code 1.5GB}, {@code 64MiB}. KB, MB, GB and
 * TB are powers of 1000; KiB, MiB, GiB and TiB powers of 1024. Case is ignored.
 *
 * @param bytes the number of bytes
 * @param text the text of the user
 */
public record ByteSize(long bytes, String text) {
  private static final String PREFIXES = "KMGT";
  private static final Pattern NOTATION =
      Pattern.compile(
          "(\\d{1,18}(?:\\.\\d{1,9})?) ?(?:([KMGT])(I)?B|B)?", Pattern.CASE_INSENSITIVE);

  /**
   * Reads a size.
   *
   * @throws IllegalArgumentException if {@code text} is not a size; the message says what is valid
   */
  public static ByteSize parse(String text) {
    Matcher matcher = NOTATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a size: write a number and KB, MB, GB, KiB, MiB or GiB, such as 100MB"
              .formatted(text));
    }
    String prefix = matcher.group(2);
    int power = prefix == null ? 0 : PREFIXES.indexOf(prefix.toUpperCase(Locale.ROOT)) + 1;
    BigDecimal unit = BigDecimal.valueOf(matcher.group(3) == null ? 1_000 : 1_024).pow(power);
    BigDecimal bytes =
        new BigDecimal(matcher.group(1)).multiply(unit).setScale(0, RoundingMode.HALF_UP);
    if (bytes.signum() == 0 || bytes.toBigInteger().bitLength() >= Long.SIZE) {
      throw new IllegalArgumentException(
          "the size '%s' must be at least 1 byte and less than 9 million TB".formatted(text));
    }
    return new ByteSize(bytes.longValueExact(), text);
  }

  /** Formats a number of bytes for people, in powers of 1000: {@code 23.6 GB}. */
  public static String format(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= 999.95 && unit < 3) {
      value /= 1_000;
      unit++;
    }
    return Texts.format("%.1f %sB", value, PREFIXES.charAt(unit));
  }

  @Override
  public String toString() {
    return text;
  }
}
