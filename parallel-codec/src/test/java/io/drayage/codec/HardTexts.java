package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.segment.SegmentPlanner;

/** HardTexts that encodings may get wrong. */
final class HardTexts {
  private static final int CODE_POINT_STEP = 257;

  private HardTexts() {}

  static void addTo(ChangeCargo.TableChangesBuilder table) {
    ColumnBuilder texts = new ColumnBuilder(ColumnType.STRING);
    texts.addString("").addString(null).addString("a").addString("\0").addString("null");
    // Around the borders of one, two and three bytes of UTF-8, and of one byte of Latin-1.
    texts.addString("\u007F").addString("\u0080").addString("\u00FF").addString("\u0100");
    texts.addString("\u07FF").addString("\u0800").addString("\uFFFF").addString("\uFEFFmark");
    addSurrogates(texts);
    addLengths(texts);
    texts.addString(everyCodePoint()).addString(codePointsOfEveryPlane()).addString(null);
    table.insert("texts", texts.build());
  }

  private static void addSurrogates(ColumnBuilder texts) {
    texts.addString("\uD83D\uDE80").addString("\uD800\uDC00").addString("a\uDBFF\uDFFFz");
  }

  /** Adds texts of lengths at which the length needs one more byte; narrow and wide texts. */
  private static void addLengths(ColumnBuilder texts) {
    for (int length : new int[] {15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 8_191, 8_192}) {
      texts.addString("x".repeat(length)).addString("\u20AC".repeat(length));
    }
    texts.addString("y".repeat(65_535)).addString("y".repeat(65_536));
    texts.addString("\u20AC".repeat(21_845)).addString("\u20AC".repeat(21_846));
  }

  /** All code points of plane 0. */
  private static String everyCodePoint() {
    StringBuilder text = new StringBuilder();
    for (int point = 0; point <= Character.MAX_VALUE; point++) {
      append(point, text);
    }
    return text.toString();
  }

  private static void append(int point, StringBuilder text) {
    if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
      text.appendCodePoint(point);
    }
  }

  private static String codePointsOfEveryPlane() {
    StringBuilder text = new StringBuilder();
    for (int point = 0; point <= Character.MAX_CODE_POINT; point += CODE_POINT_STEP) {
      append(point, text);
    }
    return text.toString();
  }

  /** Adds every code point, in texts of one plane each, and the longest texts. */
  static void addAllOfUnicodeTo(ChangeCargo.TableChangesBuilder table) {
    ColumnBuilder texts = new ColumnBuilder(ColumnType.STRING);
    for (int plane = 0; plane <= 16; plane++) {
      StringBuilder text = new StringBuilder();
      for (int point = plane << 16; point < (plane + 1) << 16; point++) {
        append(point, text);
      }
      texts.addString(text.toString());
    }
    texts.addString("z".repeat(SegmentPlanner.MAX_TEXT_BYTES - 4));
    texts.addString("\uD83D\uDE80".repeat(SegmentPlanner.MAX_TEXT_BYTES / 4 - 1));
    table.insert("unicode", texts.build());
  }
}
