package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Ordinary and difficult texts of columns. */
public enum TextSamples {
  EMPTY_ONLY,
  NULL_ONLY,
  ONE_TEXT,
  FEW_TEXTS,
  FEW_TEXTS_AND_NULLS,
  SKEWED,
  UNIQUE,
  UNIQUE_AND_NULLS,
  ACCENTS,
  SOME_WIDE,
  ALL_WIDE_AND_NULLS,
  EMOJI,
  LONG_AND_SHORT,
  OF_ONE_LENGTH,
  OF_ONE_LENGTH_BUT_FOR_SOME,
  WITH_ZEROS;

  public @Nullable String[] make(int count, long seed) {
    Random random = new Random(seed);
    @Nullable String[] made = new String[count];
    for (int i = 0; i < count; i++) {
      made[i] = next(i, random);
    }
    return made;
  }

  private static String hex(int value) {
    return format("%08x", value);
  }

  private @Nullable String next(int i, Random random) {
    return switch (this) {
      case EMPTY_ONLY -> "";
      case NULL_ONLY -> null;
      case ONE_TEXT -> "the same everywhere";
      case FEW_TEXTS -> "one of few colours: " + random.nextInt(25);
      case FEW_TEXTS_AND_NULLS ->
          random.nextInt(3) == 0 ? null : "one of few colours: " + random.nextInt(25);
      case SKEWED -> "city " + Math.abs((int) (random.nextGaussian() * 300));
      case UNIQUE -> "order " + i + "/" + random.nextInt();
      case UNIQUE_AND_NULLS -> random.nextInt(3) == 0 ? null : "order " + random.nextLong();
      case ACCENTS -> "\u00E9t\u00E9 \u00FF" + random.nextInt(100_000);
      case SOME_WIDE -> random.nextInt(9) == 0 ? "\u2013 " + random.nextLong() : "plain" + i;
      case ALL_WIDE_AND_NULLS ->
          random.nextInt(9) == 0 ? null : "\u6E2F\u53E3" + random.nextInt(100_000);
      case EMOJI -> "\uD83D\uDE00 " + Character.toString(0x1F600 + random.nextInt(64)) + i;
      case LONG_AND_SHORT ->
          i % 1_000 == 7 ? "long ".repeat(10_000 + random.nextInt(5)) : "" + random.nextInt();
      case OF_ONE_LENGTH -> hex(random.nextInt()) + "-11e8-" + hex(random.nextInt());
      case OF_ONE_LENGTH_BUT_FOR_SOME ->
          (i % 701 == 500 ? "\u00FF" : "+") + format("%09d", random.nextInt(1_000_000_000));
      case WITH_ZEROS -> (char) random.nextInt(4) + "a" + (char) random.nextInt(4) + i;
    };
  }
}
