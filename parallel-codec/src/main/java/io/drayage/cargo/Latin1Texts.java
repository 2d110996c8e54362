package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a page, whose characters are all at most U+00FF, a byte each and one text behind the
 * other: no text is an object. Not copied: who makes it no longer changes the arrays. Thread-safe.
 */
public final class Latin1Texts {
  private final byte[] characters;
  private final int[] starts;
  private final @Nullable RowBits validity;

  /**
   * @param characters of all texts
   * @param starts where each text begins, and at last where the last one ends
   * @param validity clear where a text is null, which has no characters; or null if none is
   * @throws IllegalArgumentException if the texts are not in the characters, or the bits not as
   *     many
   */
  public Latin1Texts(byte[] characters, int[] starts, @Nullable RowBits validity) {
    int rows = starts.length - 1;
    Objects.checkFromToIndex(starts[0], starts[rows], characters.length);
    for (int i = 0; i < rows; i++) {
      if (starts[i] > starts[i + 1]) {
        throw new IllegalArgumentException(
            format("text %,d begins at %,d and ends at %,d", i, starts[i], starts[i + 1]));
      }
    }
    if (validity != null && validity.size() != rows) {
      throw new IllegalArgumentException(
          format("%,d validity bits for %,d texts", validity.size(), rows));
    }
    this.characters = characters;
    this.starts = starts;
    this.validity = validity;
  }

  /** How many texts there are. */
  public int rows() {
    return starts.length - 1;
  }

  /** Whether text {@code row} is null. */
  public boolean isNull(int row) {
    return validity != null && !validity.get(row);
  }

  /** The characters of all texts; not to be changed. */
  public byte[] characters() {
    return characters;
  }

  /** Where text {@code row} begins in them, and the one before it ends. */
  public int start(int row) {
    return starts[row];
  }

  /** How many characters text {@code row} has. */
  public int length(int row) {
    return starts[row + 1] - starts[row];
  }

  /** Text {@code row}, which is not null, as an object. */
  public String get(int row) {
    return new String(characters, starts[row], length(row), StandardCharsets.ISO_8859_1);
  }

  /** The texts as objects. */
  public String[] toStrings() {
    String[] texts = new String[rows()];
    for (int i = 0; i < texts.length; i++) {
      if (!isNull(i)) {
        texts[i] = get(i);
      }
    }
    return texts;
  }
}
