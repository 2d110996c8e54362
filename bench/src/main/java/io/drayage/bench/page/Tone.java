package io.drayage.bench.page;

import java.util.Locale;

/** What a verdict, a row or a cell is to be seen as. */
public enum Tone {
  /** Won, or is as it should be. */
  GOOD,
  PLAIN,
  /** Failed, or became worse. */
  BAD;

  /** The class in the style sheet. */
  String cssClass() {
    return name().toLowerCase(Locale.ROOT);
  }
}
