package io.drayage.columnar.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.codec.Compressors;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextEncodingsTest {
  private static final long SEED = 20_261_124;
  private static final int MAX_BYTES = 8 << 20;

  private static final int PLAIN = 16;
  private static final int DICTIONARY = 17;
  private static final int TERMINATED = 18;
  private static final int PATTERN = 19;

  /** Terminated texts that are not compressed. */
  private static final int STORED = -TERMINATED;

  private static final int[] IDS = {PLAIN, DICTIONARY, TERMINATED, STORED, PATTERN};

  private final RawStreams streams = new RawStreams();
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final BlockCompressor zstd = new BlockCompressor(Compressors.ofName("zstd"));

  @AfterEach
  void close() {
    zstd.close();
  }

  private TextEncoding encoding(int id) {
    return switch (id) {
      case PLAIN -> new PlainTexts();
      case DICTIONARY -> new DictionaryTexts(within(), streams);
      case TERMINATED -> new TerminatedTexts(zstd, true);
      case STORED -> new TerminatedTexts(zstd, false);
      case PATTERN -> new PatternTexts(new TerminatedTexts(zstd, true));
      default -> throw new IllegalArgumentException("no encoding " + id);
    };
  }

  private TextStreams within() {
    return new TextStreams(TextStreams.Aim.SPEED, null, zstd);
  }

  private static TextPage page(@Nullable String... texts) {
    return Objects.requireNonNull(ColumnValues.ofTexts(new String[][] {texts}).texts(0));
  }

  private static long @Nullable [] valid(@Nullable String... texts) {
    if (Arrays.stream(texts).noneMatch(Objects::isNull)) {
      return null;
    }
    RowBits bits = new RowBits(texts.length);
    for (int i = 0; i < texts.length; i++) {
      if (texts[i] != null) {
        bits.set(i);
      }
    }
    long[] words = new long[(int) bits.wordCount()];
    Arrays.setAll(words, bits::word);
    return words;
  }

  private static TextSequence taken(@Nullable String... texts) {
    TextSequence taken = new TextSequence();
    taken.take(page(texts), valid(texts));
    return taken;
  }

  @ParameterizedTest
  @EnumSource
  void textsComeBackAsTheyWere(TextSamples kind) throws Exception {
    for (int id : IDS) {
      TextEncoding encoding = encoding(id);
      for (int count : new int[] {1, 2, 63, 64, 65, 1_025, 3_000}) {
        @Nullable String[] texts = kind.make(count, SEED);
        TextSequence taken = taken(texts);
        if (taken.count() > 0 && write(encoding, taken)) {
          TextSequence read = read(encoding, taken.count());
          @Nullable String[] expected =
              Arrays.stream(texts).map(text -> text == null ? "" : text).toArray(String[]::new);
          assertThat(read.toPage(count, valid(texts)).toStrings())
              .as("%d: %d, seed %d", id, count, SEED)
              .isEqualTo(expected);
        }
      }
    }
  }

  private boolean write(TextEncoding encoding, TextSequence texts) {
    buffer.clear();
    boolean written = encoding.write(texts, buffer) != null;
    buffer.flip();
    return written;
  }

  private boolean write(int id, @Nullable String... texts) {
    return write(encoding(id), taken(texts));
  }

  private TextSequence read(TextEncoding encoding, int count) throws ShipmentException {
    TextSequence read = encoding.read(buffer, count, new ArrayList<>());
    assertThat(buffer.hasRemaining()).isFalse();
    return read;
  }

  @ParameterizedTest
  @EnumSource(names = {"ONE_TEXT", "FEW_TEXTS", "SKEWED", "UNIQUE", "UNIQUE_AND_NULLS"})
  void aDictionaryTakesTextsThatRepeat(TextSamples kind) {
    boolean repeat = !kind.name().startsWith("UNIQUE");
    assertThat(write(DICTIONARY, kind.make(8_192, SEED))).isEqualTo(repeat);
  }

  @Test
  void aDictionaryTellsApartWhatIsAlike() throws Exception {
    List<String> some = new ArrayList<>();
    for (String text : List.of("", "x", "longer than a code of it ", "y".repeat(20))) {
      some.addAll(List.of(text, text + "A", text + "\u0141", text + "\u0000", text + "\u0000A"));
      some.add("A" + text);
    }
    String[] texts = new String[1_000];
    for (int i = 0; i < texts.length; i++) {
      // Runs first, then all mixed.
      texts[i] = some.get((i < 500 ? i / 20 : i) % some.size());
    }
    TextEncoding dictionary = encoding(DICTIONARY);
    assertThat(write(dictionary, taken(texts))).isTrue();
    assertThat(read(dictionary, texts.length).toPage(1_000, null).toStrings()).isEqualTo(texts);
  }

  @Test
  void patternsOfAnyShapeComeBack() {
    Random random = new Random(SEED);
    for (int round = 0; round < 500; round++) {
      int length = 1 + random.nextInt(round < 250 ? 12 : TextPattern.MAX_LENGTH);
      int count = 1 + random.nextInt(600);
      int[] sizes = random.ints(length, 0, 7).map(bits -> 1 + random.nextInt(1 << bits)).toArray();
      byte[] bytes = new byte[length * count + TextSequence.SLACK];
      int[] starts = new int[count + 1];
      for (int i = 0; i < length * count; i++) {
        bytes[i] = (byte) random.nextInt(sizes[i % length]);
        starts[i / length + 1] = i + 1;
      }
      TextPattern pattern =
          Objects.requireNonNull(TextPattern.ofAll(new TextSequence(bytes, starts, count), length));
      byte[] packed = new byte[count * pattern.width() + TextSequence.SLACK];
      assertThat(pattern.pack(bytes, 0, count, packed)).isTrue();
      byte[] unpacked = new byte[bytes.length];
      assertThat(pattern.unpack(packed, count, unpacked)).isTrue();
      assertThat(Arrays.mismatch(bytes, 0, length * count, unpacked, 0, length * count))
          .as("round %d, seed %d: %d texts of %d bytes", round, SEED, count, length)
          .isNegative();
    }
  }

  @Test
  void textsOfNullsAreNotWritten() throws Exception {
    TextPage page = page("ab", "not there", "c");
    TextSequence texts = new TextSequence();
    texts.take(page, new long[] {0b101});
    assertThat(write(encoding(PLAIN), texts)).isTrue();
    assertThat(hex()).isEqualTo("02000000" + "03000000" + "616263");
    buffer.rewind();
    assertThat(read(encoding(PLAIN), 2).toPage(3, new long[] {0b101}).toStrings())
        .containsExactly("ab", "", "c");
  }

  @Test
  void textsOfSeveralRunsAreOneBehindTheOther() {
    TextPage page = new TextPage(6);
    page.put(0, page("a", "bc"));
    page.put(3, page("left out", "d", "e"), 1, 2);
    TextSequence texts = new TextSequence();
    texts.take(page, null);
    assertThat(texts.toPage(6, null).toStrings()).containsExactly("a", "bc", "", "d", "e", "");
  }

  @ParameterizedTest
  @ValueSource(ints = {PLAIN, DICTIONARY, TERMINATED, -TERMINATED, PATTERN})
  void refusesBytesThatEndTooEarlyAndBytesThatGoOn(int id) {
    TextEncoding encoding = encoding(id);
    for (TextSamples kind :
        List.of(TextSamples.FEW_TEXTS, TextSamples.ONE_TEXT, TextSamples.OF_ONE_LENGTH)) {
      if (!write(id, kind.make(100, SEED))) {
        continue;
      }
      int length = buffer.limit();
      for (int end = 0; end <= length + 1; end++) {
        buffer.limit(end).position(0);
        if (end != length) {
          assertThatThrownBy(() -> read(encoding, 100))
              .as("%d of %d bytes", end, length)
              .isInstanceOf(ShipmentException.class);
        }
      }
    }
  }

  /**
   * Lists the encoding, the number of texts to read, a part of the message, and the bytes. A
   * dictionary of 2 has the plain texts "a" and "b".
   */
  @ParameterizedTest
  @CsvSource({
    "16, 2, '', ''",
    "16, 2, '', 01000000",
    "16, 2, '', 01000000 00000000 61",
    "16, 2, '', 01000000 ffffffff",
    "16, 2, '', ffffffff 01000000 61",
    "16, 2, '', 01000000 ffffff7f 61",
    "16, 2, '', 01000000 01000000 6161",
    "17, 2, code, 02000000 10000000 0a000000 01000000 02000000 6162 02000000 01000000 ffffffff",
    "17, 2, code, 02000000 10000000 0a000000 01000000 02000000 6162 02000000 01000000 02000000",
    "17, 2, code, 02000000 10000000 0a000000 01000000 02000000 6162 02000000 01000000 00000080",
    "17, 2, outside 1 to 2, 00000000 10000000 0a000000 01000000 02000000 6162",
    "17, 2, outside 1 to 2, 03000000 10000000 0a000000 01000000 02000000 6162",
    "17, 2, outside 1 to 2, ffffffff 10000000 0a000000 01000000 02000000 6162",
    "17, 2, no encoding, 0100000011000000160000000100000010000000 0a0000000100000002000000 6162",
    "18, 1, '', ''",
    "18, 1, '', 00000000",
    "18, 1, '', 03000000 000000",
    "18, 1, '', 04000000 61ff62ff",
    "18, 1, '', 04000000 61626364",
    "18, 1, '', 06000000 61ff62ff",
    "18, 1, '', ffffff7f 61ff62ff",
    "18, 1, '', ffffffff 61ff62ff",
    "18, 1, '', 03000000 61ff62ff",
    "18, 1, '', 03000000 61ff62",
    "19, 3, '', ''",
    "19, 3, '', 00",
    "19, 3, '', 41",
    "19, 3, '', 02 0161 00",
    "19, 3, '', 02 0161 026261",
    "19, 3, '', 02 0161 026262",
    "19, 3, '', 02 0161 036162",
    "19, 3, '', 01 0461626364 0000",
    "19, 3, '', 01 03616263 030000",
    "19, 3, '', 01 03616263 0000",
  })
  void refusesByName(int id, int count, String message, String hex) {
    fill(hex.replace(" ", ""));

    assertThatThrownBy(() -> read(encoding(id), count))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining(message)
        .hasMessageMatching(".*\\d.*");
  }

  @Test
  void refusesMoreBytesThanAFrameMayCarry() {
    fill("40" + "0161".repeat(64)); // Packed texts of 0 bytes.
    assertThatThrownBy(() -> read(encoding(PATTERN), 1 << 20))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("bytes of texts of 67,108,864");
  }

  @Test
  void refusesADictionaryThatStandsForMoreThanAFrameMayCarry() {
    int length = 1 << 20;
    fill("01000000" + "10000000");
    buffer.limit(MAX_BYTES).position(8);
    buffer.putInt(4 + length).putInt(length).put(new byte[length]).flip();
    assertThatThrownBy(() -> read(encoding(DICTIONARY), 100))
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.LIMIT))
        .hasMessageContaining("104,857,600");
  }

  @Test
  void whatIsNoUtf8IsRefusedWithItsRow() throws Exception {
    fill("01000000" + "02000000" + "61c3");
    TextSequence read = read(new PlainTexts(), 2);
    assertThatThrownBy(() -> read.toPage(4, new long[] {0b1010}))
        .isInstanceOfSatisfying(IllegalTextException.class, e -> assertThat(e.row()).isEqualTo(3));
  }

  @Test
  void failsIfThereIsNoRoom() {
    for (int id : IDS) {
      TextSamples kind = id == PATTERN ? TextSamples.OF_ONE_LENGTH : TextSamples.FEW_TEXTS;
      String[] texts = kind.make(id == PATTERN ? 3_000 : 100, SEED);
      assertThat(write(id, texts)).as("%d", id).isTrue();
      int length = id == PLAIN ? 0 : buffer.limit();
      for (int room = 0; room < length; room += 1 + length / 500) {
        ByteBuffer tight = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
        List<Scheme> written = encoding(id).write(taken(texts), tight);
        assertThat(written).as("%d, %d of %d bytes", id, room, length).isNull();
      }
    }
  }

  private void fill(String hex) {
    buffer.clear().put(HexFormat.of().parseHex(hex)).flip();
  }

  private String hex() {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
