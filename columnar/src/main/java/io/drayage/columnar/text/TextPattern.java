package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which characters each place of texts of one length has, and what follows from that: places with
 * more than one character are taken together, up to four that follow one another, as long as they
 * have 1,024 combinations at most. The combination's number is {@code (r1 * s2 + r2) * s3 + ...},
 * from the rank of each character and the number of characters of each place. It takes as many bits
 * as the largest one. These numbers follow one another, lowest bits first; a text ends with a byte.
 *
 * <pre>
 *   0             1
 *   +-------------+--------------------------------------------------------+
 *   | length u8   | of each place: how many characters u8, these, ascending |
 *   | 1..64       | 1..255              u8 * characters                     |
 *   +-------------+--------------------------------------------------------+
 * </pre>
 */
final class TextPattern {
  static final int MAX_LENGTH = 64;

  static final int CHARACTERS = 256;
  private static final int MAX_TOGETHER = 4;
  private static final int MAX_COMBINATIONS = 1 << 10;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final short NOT_THERE = Short.MIN_VALUE;

  /** The characters of each place, ascending. */
  private final byte[][] characters;

  /** The group of each place, or -1 if it has one character. */
  private final int[] groupOf;

  /** The first place of each group, and behind the last one the length. */
  private final int[] groupStarts;

  private final int[] combinations;
  private final int[] widths;

  /** Where the number of each group begins. */
  private final int[] bits;

  private final int width;

  /** What a character of a place adds to the number of its group; negative if it has none. */
  private final short[] parts;

  /** The places with more than one character, and where each group begins among them. */
  private final int[] places;

  private final int[] placesOf;

  /**
   * What is written for a group: so many characters from one of its places on, those of all texts
   * and those that follow later included. Several times if its places are far from each other.
   */
  private final List<Store> stores = new ArrayList<>();

  /** The characters of each number of a group, first one lowest. */
  private static final class Store {
    final int group;
    final int place;
    final int[] characters;

    Store(int group, int place, int numbers) {
      this.group = group;
      this.place = place;
      this.characters = new int[numbers];
    }
  }

  /**
   * @param characters of each place, ascending, at least one
   */
  TextPattern(byte[][] characters) {
    this.characters = characters;
    int length = characters.length;
    groupOf = new int[length];
    int[] starts = new int[length + 1];
    int[] firsts = new int[length + 1];
    int[] varying = new int[length];
    int found = 0;
    int groups = 0;
    int product = 1;
    int together = MAX_TOGETHER;
    for (int place = 0; place < length; place++) {
      int size = characters[place].length;
      groupOf[place] = -1;
      if (size > 1) {
        if (groups == 0 || together == MAX_TOGETHER || product * size > MAX_COMBINATIONS) {
          firsts[groups] = found;
          starts[groups++] = place;
          product = 1;
          together = 0;
        }
        product *= size;
        together++;
        groupOf[place] = groups - 1;
        varying[found++] = place;
      }
    }
    starts[groups] = length;
    firsts[groups] = found;
    places = Arrays.copyOf(varying, found);
    placesOf = Arrays.copyOf(firsts, groups + 1);
    groupStarts = Arrays.copyOf(starts, groups + 1);
    combinations = new int[groups];
    widths = new int[groups];
    bits = new int[groups + 1];
    for (int g = 0; g < groups; g++) {
      combinations[g] = combinations(g);
      widths[g] = Integer.SIZE - Integer.numberOfLeadingZeros(combinations[g] - 1);
      bits[g + 1] = bits[g] + widths[g];
    }
    width = (bits[groups] + 7) >>> 3;
    parts = new short[(length + 1) * CHARACTERS];
    Arrays.fill(parts, 0, length * CHARACTERS, NOT_THERE);
    fillParts();
  }

  private int combinations(int group) {
    int product = 1;
    for (int place = groupStarts[group]; place < groupStarts[group + 1]; place++) {
      product *= characters[place].length;
    }
    return product;
  }

  private void fillParts() {
    int factor = 1;
    for (int place = characters.length - 1; place >= 0; place--) {
      byte[] of = characters[place];
      boolean lastOfGroup = groupOf[place] >= 0 && nextInGroup(place) < 0;
      if (lastOfGroup) {
        factor = 1;
      }
      for (int rank = 0; rank < of.length; rank++) {
        parts[place * CHARACTERS + (of[rank] & 0xFF)] =
            (short) (rank * (of.length > 1 ? factor : 0));
      }
      if (groupOf[place] >= 0) {
        factor *= of.length;
      }
    }
  }

  /** The place that follows in the group; -1 if none does. */
  private int nextInGroup(int place) {
    for (int next = place + 1; next < groupStarts[groupOf[place] + 1]; next++) {
      if (groupOf[next] == groupOf[place]) {
        return next;
      }
    }
    return -1;
  }

  int length() {
    return characters.length;
  }

  /** The bytes of a text. */
  int width() {
    return width;
  }

  int headerBytes() {
    int bytes = 1;
    for (byte[] of : characters) {
      bytes += 1 + of.length;
    }
    return bytes;
  }

  void write(ByteBuffer target) {
    target.put((byte) characters.length);
    for (byte[] of : characters) {
      target.put((byte) of.length).put(of);
    }
  }

  static TextPattern read(ByteBuffer source) throws ShipmentException {
    int length = source.hasRemaining() ? source.get() & 0xFF : 0;
    if (length < 1 || length > MAX_LENGTH) {
      throw Malformed.because(
          format("a pattern of %,d places: expected 1 to %,d", length, MAX_LENGTH));
    }
    byte[][] characters = new byte[length][];
    for (int place = 0; place < length; place++) {
      int size = source.hasRemaining() ? source.get() & 0xFF : 0;
      if (size == 0 || size > source.remaining()) {
        throw Malformed.because(format("place %,d of a pattern has no characters", place));
      }
      characters[place] = new byte[size];
      source.get(characters[place]);
      for (int i = 1; i < size; i++) {
        if ((characters[place][i - 1] & 0xFF) >= (characters[place][i] & 0xFF)) {
          throw Malformed.because(
              format("the characters of place %,d of a pattern do not ascend", place));
        }
      }
    }
    TextPattern pattern = new TextPattern(characters);
    pattern.fillStores();
    return pattern;
  }

  private void fillStores() {
    byte[] text = batch(1);
    for (int g = 0; g < widths.length; g++) {
      int first = stores.size();
      for (int i = placesOf[g]; i < placesOf[g + 1]; i++) {
        int last = stores.size() - 1;
        if (last < first || places[i] - stores.get(last).place >= Integer.BYTES) {
          stores.add(new Store(g, places[i], 1 << widths[g]));
        }
      }
      for (int number = 0; number < combinations[g]; number++) {
        int rest = number;
        for (int i = placesOf[g + 1] - 1; i >= placesOf[g]; i--) {
          byte[] of = characters[places[i]];
          text[places[i]] = of[rest % of.length];
          rest /= of.length;
        }
        for (Store store : stores.subList(first, stores.size())) {
          store.characters[number] = (int) INTS.get(text, store.place);
        }
      }
    }
  }

  /**
   * Packs texts.
   *
   * @param bytes of texts, each with a 0 behind it
   * @param target zeros, and 8 bytes more than they take
   * @return false if one does not have this pattern
   */
  boolean pack(byte[] bytes, int from, int rows, byte[] target, int to) {
    int bad = 0;
    int step = characters.length + 1;
    for (int g = 0; g < widths.length; g++) {
      int at = to + (bits[g] >>> 3);
      int shift = bits[g] & 7;
      int p0 = place(g, 0);
      int p1 = place(g, 1);
      int p2 = place(g, 2);
      int p3 = place(g, 3);
      for (int i = 0; i < rows; i++) {
        int start = from + i * step;
        int number = part(bytes, start, p0) + part(bytes, start, p1);
        if (p2 < step - 1) {
          number += part(bytes, start, p2) + part(bytes, start, p3);
        }
        bad |= number;
        long word = (long) TextBytes.LONGS.get(target, at + i * width);
        TextBytes.LONGS.set(target, at + i * width, word | ((long) number << shift));
      }
    }
    for (int place = 0; place < characters.length; place++) {
      for (int i = 0; i < rows && groupOf[place] < 0; i++) {
        bad |= part(bytes, from + i * step, place);
      }
    }
    return bad >= 0;
  }

  private int part(byte[] bytes, int start, int place) {
    return parts[(place << 8) | (bytes[start + place] & 0xFF)];
  }

  /** A place of a group, or that of the 0 if it has fewer. */
  private int place(int group, int index) {
    int i = placesOf[group] + index;
    return i < placesOf[group + 1] ? places[i] : characters.length;
  }

  /** From one text of a {@link #batch} to the next. */
  int step() {
    return characters.length + Integer.BYTES;
  }

  /** So many texts, each with what all of them have and some bytes behind it. */
  byte[] batch(int rows) {
    byte[] batch = new byte[rows * step()];
    for (int i = 0; i < batch.length; i++) {
      batch[i] = i % step() < characters.length ? characters[i % step()][0] : 0;
    }
    return batch;
  }

  /**
   * Unpacks texts.
   *
   * @param bytes has 8 bytes of slack
   * @param target from {@link #batch}
   * @return false if one is not there
   */
  boolean unpack(byte[] bytes, int rows, byte[] target) {
    int missing = 0;
    for (Store store : stores) {
      int at = bits[store.group] >>> 3;
      int shift = bits[store.group] & 7;
      int mask = store.characters.length - 1;
      int largest = combinations[store.group] - 1;
      int to = store.place;
      for (int i = 0; i < rows; i++) {
        long word = (long) TextBytes.LONGS.get(bytes, at + i * width);
        int number = (int) (word >>> shift) & mask;
        missing |= largest - number;
        INTS.set(target, to + i * step(), store.characters[number]);
      }
    }
    return missing >= 0;
  }
}
