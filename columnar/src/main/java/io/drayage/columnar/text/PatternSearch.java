package io.drayage.columnar.text;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the {@link TextPattern} of texts of one length, each with a 0 behind it. */
final class PatternSearch {
  /** Texts that are looked at for what all of them may have. */
  private static final int LOOKED_AT = 512;

  /** Where digits are, all of them may be. */
  private static final String[] LIKELY = {"0123456789", "0123456789abcdef", "0123456789ABCDEF"};

  private PatternSearch() {}

  /** The pattern that some texts have, and what may well be there besides. */
  static @Nullable TextPattern ofSome(byte[] bytes, int count, int length) {
    int step = Math.max(1, count / LOOKED_AT);
    boolean[] seen = seen(bytes, count, length, step);
    for (int place = 0; place < length; place++) {
      widen(seen, place * TextPattern.CHARACTERS);
    }
    return of(seen, length);
  }

  /** The pattern that all texts have. */
  static @Nullable TextPattern ofAll(byte[] bytes, int count, int length) {
    return of(seen(bytes, count, length, 1), length);
  }

  private static boolean[] seen(byte[] bytes, int count, int length, int step) {
    boolean[] seen = new boolean[length * TextPattern.CHARACTERS];
    for (int row = 0; row < count; row += step) {
      int at = row * (length + 1);
      for (int place = 0; place < length; place++) {
        seen[place * TextPattern.CHARACTERS + (bytes[at + place] & 0xFF)] = true;
      }
    }
    return seen;
  }

  private static void widen(boolean[] seen, int at) {
    int all = 0;
    for (int c = 0; c < TextPattern.CHARACTERS; c++) {
      all += seen[at + c] ? 1 : 0;
    }
    for (String likely : LIKELY) {
      int among = 0;
      for (int i = 0; i < likely.length(); i++) {
        among += seen[at + likely.charAt(i)] ? 1 : 0;
      }
      if (among == all && all > 1) {
        for (int i = 0; i < likely.length(); i++) {
          seen[at + likely.charAt(i)] = true;
        }
        return;
      }
    }
  }

  private static @Nullable TextPattern of(boolean[] seen, int length) {
    byte[][] characters = new byte[length][];
    byte[] some = new byte[TextPattern.CHARACTERS];
    for (int place = 0; place < length; place++) {
      int size = 0;
      for (int c = 0; c < TextPattern.CHARACTERS; c++) {
        if (seen[place * TextPattern.CHARACTERS + c]) {
          some[size++] = (byte) c;
        }
      }
      if (size == TextPattern.CHARACTERS) {
        return null;
      }
      characters[place] = Arrays.copyOf(some, size);
    }
    return new TextPattern(characters);
  }
}
