package io.drayage.columnar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the source of {@code BitPacking}: one method for each width and direction, so that every
 * shift, mask and distance is a constant, and a loop for each row, so that the compiler turns it
 * into vectors. To write it anew, in {@code parallel-codec}:
 *
 * <pre>java src/test/java/io/drayage/columnar/BitPackingGenerator.java \
 *     src/main/java/io/drayage/columnar/BitPacking.java</pre>
 *
 * {@code BitPackingTest} sees to it that the two agree.
 */
final class BitPackingGenerator {
  private static final int LANES = 64;
  private static final int ROWS = 16;
  private static final int WORD_BITS = 32;

  /** What one loop may combine and still be unrolled. */
  private static final int MAX_TERMS = 4;

  private final StringBuilder source = new StringBuilder();

  private BitPackingGenerator() {}

  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[0]), source());
  }

  /** The whole file. */
  static String source() {
    BitPackingGenerator generator = new BitPackingGenerator();
    generator.line(HEAD);
    generator.dispatch("pack", "the low bits of 1,024 values", "values", "words");
    generator.dispatch("unpack", "1,024 values", "words", "values");
    generator.line(HALF_ROWS);
    for (int width = 1; width < WORD_BITS; width++) {
      generator.pack(width);
      generator.unpack(width);
    }
    generator.line("}");
    return generator.source.toString();
  }

  private void line(String text) {
    source.append(text).append('\n');
  }

  private void dispatch(String name, String what, String from, String to) {
    line("");
    line("  /**");
    line("   * %s %s.".formatted(name.equals("pack") ? "Packs" : "Unpacks", what));
    line("   *");
    line("   * @param width 1 to 32");
    line("   */");
    line("  static void %s(int width, int[] %s, int[] %s) {".formatted(name, from, to));
    line("    switch (width) {");
    for (int width = 1; width < WORD_BITS; width++) {
      line("      case %1$d -> %2$s%1$d(%3$s, %4$s);".formatted(width, name, from, to));
    }
    line("      case 32 -> System.arraycopy(%s, 0, %s, 0, VALUES);".formatted(from, to));
    line("      default -> throw new IllegalArgumentException(\"no width of \" + width);");
    line("    }");
    line("  }");
  }

  private void pack(int width) {
    line("");
    line("  private static void pack%d(int[] values, int[] words) {".formatted(width));
    int wordRows = (ROWS * width + WORD_BITS - 1) / WORD_BITS;
    for (int word = 0; word < wordRows; word++) {
      List<String> terms = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        int shift = row * width - word * WORD_BITS;
        if (shift > -width && shift < WORD_BITS) {
          String masked = "(values[%s] & %s)".formatted(at(row), mask(width));
          terms.add(shifted(masked, shift));
        }
      }
      for (int t = 0; t < terms.size(); t += MAX_TERMS) {
        List<String> some =
            new ArrayList<>(terms.subList(t, Math.min(t + MAX_TERMS, terms.size())));
        if (t > 0) {
          some.add(0, "words[%s]".formatted(at(word)));
        }
        loop("words[%s] = %s".formatted(at(word), String.join(" | ", some)));
      }
    }
    if (width % 2 == 1) {
      line("    joinHalves(%d, words);".formatted(width / 2));
    }
    line("  }");
  }

  private void unpack(int width) {
    line("");
    line("  private static void unpack%d(int[] words, int[] values) {".formatted(width));
    if (width % 2 == 1) {
      line("    splitHalves(%d, words);".formatted(width / 2));
    }
    for (int row = 0; row < ROWS; row++) {
      int word = row * width / WORD_BITS;
      int shift = row * width % WORD_BITS;
      String bits = shifted("words[%s]".formatted(at(word)), -shift);
      boolean whole = shift + width == WORD_BITS;
      if (shift + width > WORD_BITS) {
        bits += " | " + shifted("words[%s]".formatted(at(word + 1)), WORD_BITS - shift);
        bits = "(" + bits + ")";
      }
      loop("values[%s] = %s%s".formatted(at(row), bits, whole ? "" : " & " + mask(width)));
    }
    line("  }");
  }

  private void loop(String statement) {
    line("    for (int i = 0; i < %d; i++) {".formatted(LANES));
    line("      %s;".formatted(statement));
    line("    }");
  }

  private static String at(int row) {
    return row == 0 ? "i" : "i + %d".formatted(row * LANES);
  }

  private static String mask(int width) {
    return "0x%X".formatted((1 << width) - 1);
  }

  private static String shifted(String bits, int shift) {
    if (shift == 0) {
      return bits;
    }
    return "%s %s %d".formatted(bits, shift > 0 ? "<<" : ">>>", Math.abs(shift));
  }

  private static final String HEAD =
      """
      package io.drayage.columnar;

      /**
       * Packs mini-blocks of 1,024 integers into {@code width} bits each, and back. Generated by {@code
       * BitPackingGenerator}: change that.
       *
       * <p>Value {@code i} belongs to lane {@code i & 63}. The 16 values of a lane follow each other in
       * its words, lowest bits first; word {@code k} of lane {@code l} is word {@code 64 * k + l}. With an
       * odd width the last words hold 16 bits a lane: there are 32 of them, with lane {@code l} in the
       * low half of one and lane {@code l + 32} in its high half. So a mini-block takes 32 words for each
       * bit of width.
       *
       * <p>Each array has room for 1,024 elements. Those of {@code words} behind the packed words are
       * written to as well.
       */
      final class BitPacking {
        /** Values in a mini-block. */
        static final int VALUES = 1024;

        private BitPacking() {}
      """
          .stripTrailing();

  private static final String HALF_ROWS =
      """

        /** Two lanes a word instead of one. */
        private static void joinHalves(int row, int[] words) {
          int at = row * 64;
          for (int i = 0; i < 32; i++) {
            words[at + i] = words[at + i] | words[at + 32 + i] << 16;
          }
        }

        private static void splitHalves(int row, int[] words) {
          int at = row * 64;
          for (int i = 0; i < 32; i++) {
            words[at + 32 + i] = words[at + i] >>> 16;
          }
          for (int i = 0; i < 32; i++) {
            words[at + i] = words[at + i] & 0xFFFF;
          }
        }
      """
          .stripTrailing();
}
